import { render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { exported, follow, go, href, link, route, toasts, turn, useAsk } from "./api";
import { Icon, useClosing, useKeys } from "./parts";
import { Health } from "./health";
import { Shown } from "./shown";
import { Memories } from "./memories";
import { Sessions } from "./sessions";
import { FileView, Try } from "./try";
import type { Facets } from "./types";

const pages: [string, string][] = [["shown", "Shown"], ["memories", "Memories"], ["sessions", "Sessions"], ["try", "Try a prompt"]];

function App() {
  const { page, params } = route.value;
  const [health, setHealth] = useState(false);
  const [help, setHelp] = useState(false);
  const search = useRef<HTMLInputElement>(null);
  const facets = useAsk<Facets>("facets", {});
  useKeys({
    "/": () => search.current!.focus(), "?": () => setHelp(true), h: () => setHealth(o => !o),
    "1": () => go("shown"), "2": () => go("memories"), "3": () => go("sessions"), "4": () => go("try"),
  });
  useEffect(() => { document.title = (pages.find(([n]) => n === page)?.[1] || params.path || "") + " · hebb"; }, [page, params.path]);
  const projects = facets.data?.projects || [];
  const known = projects.some(p => p.id === params.project);
  return <>
    <a class="skip" href="#main" onClick={e => { e.preventDefault(); document.getElementById("main")?.focus(); }}>To the content</a>
    <header class="bar-top">
      <a class="word" href={href("shown")} aria-label="hebb, first screen"><svg viewBox="0 0 32 32" aria-hidden="true"><path d="M9.500 5v22M9.500 18c2-4 8-5.500 10.500-2.500 1.500 1.800 1 6.500 1 11.500" /><circle cx="23.500" cy="8" r="3" /></svg>hebb</a>
      <nav class="tabs" aria-label="Pages">{pages.map(([name, label]) => <a key={name} href={href(name)} aria-current={page === name ? "page" : undefined}>{label}</a>)}</nav>
      <Search field={search} />
      <label class="project"><span class="hidden">Project</span><select value={params.project || ""} onChange={e => turn({ project: e.currentTarget.value || undefined, session: undefined, open: undefined, line: undefined })}>
        <option value="">All projects</option>{projects.map(p => <option key={p.id} value={p.id}>{p.name}</option>)}{params.project && !known && <option value={params.project}>{params.project}</option>}</select></label>
      {!exported && <button class="round" onClick={() => setHealth(!health)} aria-expanded={health} title="Health (h)"><Icon name="heart" /><span class="hidden">Health</span></button>}
      <button class="round keys-button" onClick={() => setHelp(true)} title="Keys (?)"><b aria-hidden="true">?</b><span class="hidden">Keys</span></button>
    </header>
    {exported && <p class="banner">A copy of {exported.at ? new Date(exported.at).toLocaleString() : "this memory"}: it shows what hebb ui showed then, and cannot be changed.</p>}
    {link.value !== "live" && <p class="banner bad" role="alert">{link.value === "ended" ? "hebb ui has ended. Start it again: hebb ui" : "The connection was lost. If it does not come back, start hebb ui again."}</p>}
    {page === "memories" ? <Memories /> : page === "sessions" ? <Sessions /> : page === "try" ? <Try /> : page === "file" ? <FileView /> : <Shown />}
    {health && <Health close={() => setHealth(false)} />}
    {help && <Help close={() => setHelp(false)} />}
    <div class="toasts" role="status" aria-live="polite">{toasts.value.map(t => <div key={t.id} class={"toast" + (t.bad ? " bad" : "")}><span>{t.text}</span>{t.undo && <button onClick={t.undo}>Undo</button>}</div>)}</div>
  </>;
}

// Search filters the memories while somebody types.
function Search({ field }: { field: { current: HTMLInputElement | null } }) {
  const { page, params } = route.value;
  const [text, setText] = useState(params.contains || "");
  const timer = useRef(0);
  useEffect(() => { if (document.activeElement !== field.current) setText(params.contains || ""); }, [params.contains]); // typing goes on meanwhile
  const find = (words: string) => {
    const contains = words.trim() || undefined;
    if (page !== "memories") { if (contains) go("memories", { contains }); } else turn({ contains, open: undefined }, true);
  };
  return <form class="search" role="search" onSubmit={e => { e.preventDefault(); clearTimeout(timer.current); find(text); field.current!.blur(); }}>
    <Icon name="search" />
    <input ref={field} type="search" value={text} placeholder="Search memories" aria-label="Search memories"
      onInput={e => { const v = e.currentTarget.value; setText(v); clearTimeout(timer.current); timer.current = window.setTimeout(() => find(v), 180); }}
      onKeyDown={e => { if (e.key === "Escape") field.current!.blur(); }} /><kbd aria-hidden="true">/</kbd></form>;
}

function Help({ close }: { close: () => void }) {
  const at = useClosing(close);
  const keys: [string, string][] = [["/", "search memories"], ["j  k", "move down and up"], ["Enter", "open what is chosen"], ["e", "edit the memory"], ["p", "pin it, or take the pin off"], ["d", "delete: forget the memory, or never show the line again"],
    ["x", "select a memory, for doing the same with many"], ["1 2 3 4", "the four pages"], ["h", "health"], ["Esc", "close"], ["?", "this help"]];
  return <div class="veil" onClick={close}><section class="dialog" role="dialog" aria-modal="true" aria-label="Keys" tabIndex={-1} ref={at} onClick={e => e.stopPropagation()}>
    <h2>Keys</h2><dl class="keys">{keys.map(([k, what]) => <><dt key={k}>{k.split(/\s+/).map(o => <kbd key={o}>{o}</kbd>)}</dt><dd>{what}</dd></>)}</dl>
    <p class="dim">Everything on this page is also a command: <code>hebb --help</code></p><button onClick={close}>Close</button></section></div>;
}

follow();
render(<App />, document.getElementById("app")!);
