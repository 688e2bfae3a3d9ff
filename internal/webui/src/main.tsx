import { render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { exported, follow, go, href, link, route, scope, toasts, turn, useAsk } from "./api";
import { Icon, Loading, Problem, Time, useKeys } from "./parts";
import { Shown } from "./shown";
import { Memories } from "./memories";
import { Sessions } from "./sessions";
import { FileView, Try } from "./try";
import { ago, count, number } from "./text";
import type { Facets, Finding } from "./types";

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

// Dialog lies over the page until it is closed.
function useClosing(close: () => void) {
  const at = useRef<HTMLElement>(null);
  useKeys({ Escape: close, ...Object.fromEntries(["j", "k", "e", "p", "d", "x", "Enter"].map(k => [k, () => undefined])) });
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    at.current!.focus();
    return () => before?.focus?.();
  }, []);
  return at;
}

function Help({ close }: { close: () => void }) {
  const at = useClosing(close);
  const keys: [string, string][] = [["/", "search memories"], ["j  k", "move down and up"], ["Enter", "open what is chosen"], ["e", "edit the memory"], ["p", "pin it, or take the pin off"], ["d", "delete: forget the memory, or never show the line again"],
    ["x", "select a memory, for doing the same with many"], ["1 2 3 4", "the four pages"], ["h", "health"], ["Esc", "close"], ["?", "this help"]];
  return <div class="veil" onClick={close}><section class="dialog" role="dialog" aria-modal="true" aria-label="Keys" tabIndex={-1} ref={at} onClick={e => e.stopPropagation()}>
    <h2>Keys</h2><dl class="keys">{keys.map(([k, what]) => <><dt key={k}>{k.split(/\s+/).map(o => <kbd key={o}>{o}</kbd>)}</dt><dd>{what}</dd></>)}</dl>
    <p class="dim">Everything on this page is also a command: <code>hebb --help</code></p><button onClick={close}>Close</button></section></div>;
}

// Health is what hebb depends on, how large it is, what it did in its sleep and what it wants.
function Health({ close }: { close: () => void }) {
  const at = useClosing(close);
  const doctor = useAsk<Finding[]>("doctor", {});
  const stats = useAsk<any>("stats", scope());
  const goals = useAsk<any>("goals", { ...scope() });
  const mood = useAsk<any>("mood", {});
  const rank = { fail: 0, warn: 1, ok: 2 };
  const findings = [...(doctor.data || [])].sort((a, b) => rank[a.level] - rank[b.level]);
  const s = stats.data, slept = s?.last_sleep;
  const sum = (f: (p: any) => number) => (s?.projects || []).reduce((n: number, p: any) => n + (f(p) || 0), 0);
  const links = sum(p => Object.values(p.synapses || {}).reduce((a: number, b: any) => a + b, 0) as number);
  const found = (f: Finding, i: number) => <li key={i} class={f.level}><Icon name={f.level === "ok" ? "check" : "error"} /><div><b>{f.name}</b> {f.detail}{f.fix && <p>{f.fix}</p>}</div></li>;
  const wishes = goals.data?.goals || [];
  return <section class="drawer" role="dialog" aria-label="Health" tabIndex={-1} ref={at}>
    <header><h2>Health</h2><button class="round" onClick={close} title="Close (Esc)"><Icon name="close" /><span class="hidden">Close</span></button></header>
    <section><h3>Doctor</h3><Problem text={doctor.error} />{!doctor.data && !doctor.error && <Loading />}
      {doctor.data && findings.every(f => f.level === "ok") && <p>Everything is fine.</p>}
      <ul class="findings">{findings.filter(f => f.level !== "ok").map(found)}</ul>
      {doctor.data && <details><summary>{count(findings.filter(f => f.level === "ok").length, "check")} without a problem</summary><ul class="findings">{findings.filter(f => f.level === "ok").map(found)}</ul></details>}</section>
    {s && <section><h3>Sizes</h3><dl class="sizes"><dt>Store</dt><dd>{(s.store.bytes / 1048576 || 0).toFixed(1)} MB</dd><dt>Sessions</dt><dd>{number(sum(p => p.sessions))}</dd><dt>Events</dt><dd>{number(sum(p => p.events))}</dd>
      <dt>Files</dt><dd>{number(sum(p => p.files))}</dd><dt>Links</dt><dd>{number(links)}</dd><dt>Commits</dt><dd>{number(sum(p => p.commits))}</dd></dl></section>}
    <section><h3>Last sleep</h3>{slept ? <p><Time at={slept.at} />: looked at {count(slept.links, "link")} and {count(slept.neurons, "file")}, forgot {count((slept.decay?.pruned_synapses || 0), "link")} and {count((slept.decay?.pruned_neurons || 0), "file")}{slept.crystals?.expired ? `, let ${count(slept.crystals.expired, "memory", "memories")} fade` : ""}.</p> : <p class="dim">It has not slept yet. <code>hebb sleep</code> lets it.</p>}</section>
    <section><h3>Goals</h3>{wishes.length ? <ul class="plain">{wishes.slice(0, 8).map((g: any) => <li key={g.id}>{g.title} <span class="dim">{g.status}</span></li>)}</ul> : <p class="dim">No goals yet. <code>hebb goals add</code> sets one.</p>}</section>
    {mood.data && <section><h3>Mood</h3><p>{mood.data.words}</p>{mood.data.effect && <p class="dim">{mood.data.effect}</p>}
      <ul class="plain">{(mood.data.causes || []).slice(0, 4).map((c: any, i: number) => <li key={i}>{c.event} <span class="dim">{ago(c.at)}{c.said ? `: ${c.said}` : ""}</span></li>)}</ul></section>}
  </section>;
}

follow();
render(<App />, document.getElementById("app")!);
