import { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useReducer, useRef, useState } from "preact/hooks";
import DOMPurify from "dompurify";
import { Renderer, marked } from "marked";
import { Virtualizer, elementScroll, observeElementOffset, observeElementRect } from "@tanstack/virtual-core";
import { act, exported, forget, href, readOnly, toast } from "./api";
import { ago, compare, full } from "./text";
import type { Memory, Verdict } from "./types";

// Icon draws one of a few signs. They say nothing that is not said in words beside them, or in a label.
const paths: Record<string, string> = {
  check: "M3.5 8.500l3 3 6-7", cross: "M4 4l8 8M12 4l-8 8", clock: "M8 4.500V8l2.500 1.500M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0z", never: "M3.800 3.800l8.400 8.400M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0z",
  file: "M4 1.800h5l3.200 3.200v9.200H4zM8.800 2v3.200H12", memory: "M3 3.500h10v7.500H8l-3 2.500v-2.500H3z", search: "M7 11.500a4.500 4.500 0 1 0 0-9 4.500 4.500 0 0 0 0 9zM10.300 10.300L14 14",
  pin: "M9.500 2.500l4 4-2 .6-2.600 2.600-.4 2.800-5-5 2.800-.4 2.600-2.600zM6 10l-3.500 3.500", edit: "M3 13l.6-2.800L10.800 3 13 5.200l-7.200 7.200z", trash: "M3 4.500h10M6.500 4.500V3h3v1.500M4.500 4.500l.6 9h5.800l.6-9",
  undo: "M6 3L3 6l3 3M3 6h6.500a3.500 3.500 0 0 1 0 7H6", error: "M8 4.500v4.200M8 11v.4M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0z", commit: "M8 2v3.500M8 10.500V14M10.500 8a2.500 2.500 0 1 1-5 0 2.500 2.500 0 0 1 5 0z",
  tool: "M3 4.500h10M3 8h10M3 11.500h6", prompt: "M3.500 5l3 3-3 3M8.500 11.500h4", heart: "M1.500 8h3l2-4 3 8 2-4h3", chevron: "M6 4l4 4-4 4", spark: "M8 2v3M8 11v3M2 8h3M11 8h3M4 4l1.800 1.800M10.200 10.200L12 12M12 4l-1.800 1.800M5.800 10.200L4 12",
  fix: "M9.500 3.500a3 3 0 0 0-3.800 3.800L2.500 10.500l2 3 3.700-3.700A3 3 0 0 0 12.500 6l-2 1.500-1.500-.5-.5-1.500z", close: "M4 4l8 8M12 4l-8 8", dot: "M8 8h.01",
};
export const Icon = ({ name }: { name: string }) =>
  <svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d={paths[name] || paths.dot} /></svg>;

export const Time = ({ at, none = "" }: { at?: string; none?: string }) =>
  at ? <time dateTime={at} title={full(at)}>{ago(at)}</time> : <span class="dim">{none}</span>;

export const Path = ({ path, project }: { path: string; project?: string }) => {
  const cut = path.lastIndexOf("/") + 1;
  return <a class="path" href={href("file", { path, project })} title={path}><span>{path.slice(0, cut)}</span>{path.slice(cut)}</a>;
};

// Bar is a share with the gate that it has to pass, if there is one.
export const Bar = ({ share, gate, label }: { share: number; gate?: number; label: string }) =>
  <span class={"bar" + (gate !== undefined && share < gate ? " below" : "")} role="img" aria-label={label} title={label}>
    <i style={{ width: `${Math.round(100 * Math.min(1, Math.max(0, share)))}%` }} />
    {gate !== undefined && <b style={{ left: `${Math.round(100 * gate)}%` }} />}
  </span>;

// Empty teaches one command where there is nothing to show.
export const Empty = ({ title, children, command }: { title: string; children: ComponentChildren; command?: string }) => {
  const copy = () => navigator.clipboard?.writeText(command!).then(() => toast("Copied. Paste it into a terminal."), () => undefined);
  return <section class="empty">
    <h2>{title}</h2>
    <p>{children}</p>
    {command && <button class="command" onClick={copy} title="Copy"><code>{command}</code></button>}
  </section>;
};

export const Problem = ({ text }: { text?: string }) => text ? <p class="problem" role="alert"><Icon name="error" />{text}</p> : null;

export const Loading = () => <p class="loading" role="status">Loading…</p>;

// Markdown shows a document of the memory. Of its HTML only plain structure is left: no links that lead anywhere, no images, no style.
const structure = ["h1", "h2", "h3", "h4", "h5", "h6", "p", "ul", "ol", "li", "strong", "em", "code", "pre", "blockquote", "hr", "br", "table", "thead", "tbody", "tr", "th", "td", "del"];
const plainHTML = new Renderer(); // HTML in it is shown as it was typed
plainHTML.html = ({ text }) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;");
plainHTML.image = ({ text }) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;");
export const Markdown = ({ text }: { text: string }) => {
  const at = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const html = marked.parse(text.replace(/<!--[\s\S]*?-->/g, ""), { async: false, gfm: true, renderer: plainHTML }) as string;
    const clean = DOMPurify.sanitize(html, { ALLOWED_TAGS: structure, ALLOWED_ATTR: [], RETURN_DOM_FRAGMENT: true });
    at.current!.replaceChildren(clean);
  }, [text]);
  return <div class="markdown" ref={at} />;
};

export const Diff = ({ before, after, by = "words" }: { before: string; after: string; by?: "words" | "lines" }) =>
  <div class={"diff " + by}>{compare(before, after, by).map((p, i) =>
    p.how === "same" ? <span key={i}>{by === "lines" ? shortened(p.text) : p.text}</span>
      : p.how === "out" ? <del key={i}>{p.text}</del> : <ins key={i}>{p.text}</ins>)}</div>;

// shortened leaves out the middle of lines that did not change.
function shortened(text: string): string {
  const lines = text.split(/(?<=\n)/);
  return lines.length < 9 ? text : [...lines.slice(0, 3), `  ⋯ ${lines.length - 6} lines\n`, ...lines.slice(-3)].join("");
}

// useVirtual keeps only the rows of a long list in the page that can be seen.
export function useVirtual(count: number, scroller: { current: HTMLElement | null }, height: number) {
  const [, redraw] = useReducer((n: number) => n + 1, 0);
  const kept = useRef<Virtualizer<HTMLElement, HTMLElement> | null>(null);
  const options = {
    count, getScrollElement: () => scroller.current, estimateSize: () => height, overscan: 6,
    scrollToFn: elementScroll, observeElementRect, observeElementOffset, onChange: () => redraw(0),
  };
  kept.current ??= new Virtualizer<HTMLElement, HTMLElement>(options);
  kept.current.setOptions(options);
  useLayoutEffect(() => kept.current!._didMount(), []);
  useLayoutEffect(() => kept.current!._willUpdate());
  return kept.current;
}

// useKeys lets a page act on keys while it is shown.
type Keys = Record<string, (e: KeyboardEvent) => void>;
const held: Keys[] = [];
export function useKeys(keys: Keys) {
  const own = useRef<Keys>({});
  own.current = keys;
  useEffect(() => {
    const mine: Keys = new Proxy({}, { get: (_t, k: string) => own.current[k] });
    held.push(mine);
    return () => { held.splice(held.indexOf(mine), 1); };
  }, []);
}
document.addEventListener("keydown", e => {
  const at = e.target as HTMLElement;
  if (e.metaKey || e.ctrlKey || e.altKey || e.isComposing) return;
  if (/^(INPUT|TEXTAREA|SELECT)$/.test(at.tagName) && e.key !== "Escape" && (at as HTMLInputElement).type !== "checkbox") return;
  if (e.key === "Enter" && /^(A|BUTTON)$/.test(at.tagName)) return;
  for (const keys of [...held].reverse()) {
    const run = keys[e.key];
    if (run) { e.preventDefault(); run(e); return; }
  }
});

// useClosing is for what lies over the page until it is closed.
export function useClosing(close: () => void) {
  const at = useRef<HTMLElement>(null);
  useKeys({ Escape: close, ...Object.fromEntries(["j", "k", "e", "p", "d", "x", "Enter"].map(k => [k, () => undefined])) });
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    at.current!.focus();
    return () => before?.focus?.();
  }, []);
  return at;
}

// What people say of a line or a memory, and what it does.
export const verdicts: { name: Verdict; icon: string; label: string; done: string }[] = [
  { name: "right", icon: "check", label: "Right", done: "Marked right: it counts as confirmed." },
  { name: "wrong", icon: "cross", label: "Wrong", done: "Marked wrong: it is not shown or heard again." },
  { name: "outdated", icon: "clock", label: "Outdated", done: "Marked outdated: it ended today and stays as history." },
  { name: "never", icon: "never", label: "Never again", done: "It is never shown unasked again; search still finds it." },
];

export async function judge(what: { line: string } | { memory: string }, verdict: Verdict, then?: () => void) {
  if (exported) return readOnly();
  const v = verdicts.find(o => o.name === verdict)!;
  if (!await act("verdict", { ...what, verdict })) return;
  then?.();
  toast(v.done, { undo: () => takeBack(what, then) });
}

export async function takeBack(what: { line: string } | { memory: string }, then?: () => void) {
  if (exported) return readOnly();
  if (await act("verdict", { ...what, undo: true })) { toast("Taken back."); then?.(); }
}

export const Verdicts = ({ of, given, about, then }: { of: { line: string } | { memory: string }; given?: Verdict; about: string; then?: () => void }) => {
  const v = verdicts.find(o => o.name === given);
  if (v) return <span class={"given " + v.name}><Icon name={v.icon} />{v.label}
    <button class="quiet" onClick={() => takeBack(of, then)} aria-label={`Take back: ${v.label}, ${about}`}>Undo</button></span>;
  return <span class="verdicts" role="group" aria-label={"What do you say of: " + about}>{verdicts.map(o =>
    <button key={o.name} class={o.name} title={o.label} aria-label={`${o.label}: ${about}`} onClick={() => judge(of, o.name, then)}><Icon name={o.icon} /></button>)}</span>;
};

// Editor gives a memory a new text; the earlier one stays as history.
export function Editor({ memory, done }: { memory: { id: string; text: string }; done: (saved?: string) => void }) {
  const [text, setText] = useState(memory.text);
  const [busy, setBusy] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => { field.current!.focus(); field.current!.setSelectionRange(text.length, text.length); }, []);
  useKeys({ Escape: () => done() });
  const changed = text.trim() !== memory.text.trim() && text.trim() !== "";
  const save = async () => {
    if (exported) return readOnly();
    if (!changed || busy) return;
    setBusy(true);
    const out = await act<Memory>("edit", { id: memory.id, text }, () => done());
    setBusy(false);
    if (!out) return;
    done(out.id);
    toast("Saved. The earlier text is history.", { undo: async () => { if (await act("edit", { id: out.id, text: memory.text })) toast("The earlier text is back."); } });
  };
  return <form class="editor" onSubmit={e => { e.preventDefault(); save(); }}>
    <textarea ref={field} value={text} rows={Math.min(8, 2 + text.split("\n").length)} aria-label="New text"
      onInput={e => setText(e.currentTarget.value)}
      onKeyDown={e => { if (e.key === "Enter" && (e.metaKey || e.ctrlKey)) save(); if (e.key === "Escape") { e.stopPropagation(); done(); } }} />
    {changed && <div class="change"><Diff before={memory.text} after={text} /></div>}
    <div class="row"><button class="primary" disabled={!changed || busy}>Save</button><button type="button" onClick={() => done()}>Cancel</button>
      <span class="dim">Ctrl Enter saves. The earlier text stays as history.</span></div>
  </form>;
}

// pin shows a memory at the start of every session, or takes the pin off.
export async function pin(m: Memory) {
  if (exported) return readOnly();
  const of = await act<{ title: string; reason?: string }>("pin", { id: m.id, off: !!m.pin });
  if (of) toast(m.pin ? "Unpinned." : "Pinned: every session is shown it from its start.",
    { undo: () => act("pin", { id: m.id, off: !m.pin, title: of.title, reason: of.reason }) });
}

export const Actions = ({ m, edit }: { m: Memory; edit: () => void }) => <div class="row actions">
  {!m.valid_to && m.lifecycle !== "frozen" && <button onClick={edit}><Icon name="edit" />Edit</button>}
  {!m.valid_to && <button onClick={() => pin(m)}><Icon name="pin" />{m.pin ? "Unpin" : "Pin"}</button>}
  <span class="divider" />
  {m.verdict ? <Verdicts of={{ memory: m.id }} given={m.verdict} about="this memory" /> :
    verdicts.map(v => <button key={v.name} class={v.name} onClick={() => judge({ memory: m.id }, v.name)}><Icon name={v.icon} />{v.label}</button>)}
  <span class="divider" />
  <button class="danger" onClick={() => forget([m.id])}><Icon name="trash" />Forget</button>
</div>;
