import { useEffect, useState } from "preact/hooks";
import { act, exported, href, readOnly, route, scope, toast, turn, useAsk } from "./api";
import { Diff, Empty, Icon, Loading, Markdown, Path, Problem, useKeys } from "./parts";
import { lineName } from "./shown";
import { agent, ago, count, date, full, span, time } from "./text";
import type { Facets, HeatMap, Session, StateText, States, Step, Waterfall } from "./types";

export function Sessions() {
  const p = route.value.params;
  const list = useAsk<Session[]>("sessions", { ...scope(), limit: 200 });
  const facets = useAsk<Facets>("facets", {});
  const project = p.project || facets.data?.projects[0]?.id;
  const sessions = list.data || [];
  const at = sessions.findIndex(s => s.id === p.session);
  const move = (by: number) => {
    const next = sessions[Math.max(0, Math.min(sessions.length - 1, at + by))];
    if (!next) return;
    turn({ session: next.id, view: undefined }, true);
    document.getElementById("s-" + next.id)?.scrollIntoView({ block: "nearest" });
  };
  useKeys({ j: () => move(1), k: () => move(-1), Escape: () => turn({ session: undefined }) });
  const names = new Map((facets.data?.projects || []).map(o => [o.id, o.name]));
  if (list.data !== undefined && sessions.length === 0) return <main class="page" id="main"><h1 class="hidden">Sessions</h1>
    <Empty title="No session yet" command="hebb sessions import">Work with a connected agent, or import the sessions that agents have kept on this machine:</Empty></main>;
  const state = p.view === "state";
  return <main class={"page split" + (p.session || p.view ? " inside" : "")} id="main">
    <h1 class="hidden">Sessions</h1>
    <nav class="list" aria-label="Sessions">
      <Problem text={list.error} />
      {list.data === undefined && !list.error && <Loading />}
      <a class="top" aria-current={!p.session && !state ? "page" : undefined} href={href("sessions", { view: "files" })}>Files by session</a>
      <a class="top" aria-current={state ? "page" : undefined} href={href("sessions", { view: "state" })}>State of mind (MEMORY.md)</a>
      {sessions.map((s, i) => <>
        {(i === 0 || date(s.last_event_at) !== date(sessions[i - 1].last_event_at)) && <h2 key={"d" + s.id}>{date(s.last_event_at)}</h2>}
        <a key={s.id} id={"s-" + s.id} href={href("sessions", { session: s.id })} aria-current={s.id === p.session ? "page" : undefined}>
          <b>{s.intent || "No prompt"}</b>
          <span>{agent(s.agent)}{p.project ? "" : ` · ${names.get(s.project) || ""}`} · {count(s.events, "event")} · {s.closed_at ? span(s.opened_at, s.last_event_at) : "running"}</span>
        </a></>)}
    </nav>
    <section class="inside-view"><a class="back" href={href("sessions")}>All sessions</a>{p.session ? <Fall id={p.session} project={project} /> : state ? <StateOfMind project={project} day={p.day} /> : <Heat project={project} name={names.get(project || "") || ""} />}</section>
  </main>;
}

const fewLines = 3;
const shownWhen: Record<string, string> = {
  start: "shown at the start", prompt: "shown with the prompt", edit: "shown before an edit", command: "shown before a command", error: "shown after the error", compact: "shown after compaction", subagent: "shown to a subagent",
};

interface Fold { steps: Step[]; kind: string }

// folded puts consecutive calls of tools together: what matters is what they led to.
function folded(steps: Step[]): Fold[] {
  const out: Fold[] = [];
  for (const s of steps) {
    const last = out[out.length - 1];
    if (s.kind === "tool" && last?.kind === "tool") last.steps.push(s); else out.push({ kind: s.kind, steps: [s] });
  }
  return out;
}

const looks: Record<string, [string, string]> = {
  session_start: ["dot", "began"], prompt: ["prompt", "prompt"], suggest: ["spark", "shown"], tool: ["tool", "tools"], tool_fail: ["error", "error"], resolve: ["fix", "fixed"], commit: ["commit", "commit"],
  turn_end: ["memory", "closing words"], pre_compact: ["dot", "compacting"], post_compact: ["dot", "compacted"], sub_start: ["chevron", "subagent"], sub_stop: ["chevron", "subagent done"], session_end: ["dot", "ended"], record: ["edit", "by hand"],
};

// Fall is a session from its first prompt to its commits, with the time each thing took its place in.
function Fall({ id, project }: { id: string; project?: string }) {
  const w = useAsk<Waterfall>("waterfall", { session: id });
  if (!w.data) return w.error ? <Problem text={w.error} /> : <Loading />;
  const s = w.data, steps = s.steps || [];
  const from = Date.parse(s.opened_at), to = Math.max(from + 1000, Date.parse(s.last_event_at));
  const place = (t: string) => 100 * Math.max(0, Math.min(1, (Date.parse(t) - from) / (to - from)));
  const tally = (kind: string) => steps.filter(o => o.kind === kind).length;
  return <article class="fall">
    <header><h2>{s.intent || "No prompt"}</h2>
      <p class="dim">{agent(s.agent)} · {s.project_name} · {full(s.opened_at)} · {s.closed_at ? span(s.opened_at, s.last_event_at) : "running"} · {count(tally("prompt"), "prompt")}, {count(tally("tool"), "tool call")}, {count(tally("tool_fail"), "error")}, {count(tally("commit"), "commit")}
        {" · "}<a href={href("sessions", { view: "state", day: s.last_event_at, project })}>MEMORY.md of that day</a></p></header>
    {(s.happened || s.learned || s.next) && <dl class="summary">{s.happened && <><dt>Happened</dt><dd>{s.happened}</dd></>}{s.learned && <><dt>Learned</dt><dd>{s.learned}</dd></>}{s.next && <><dt>Next</dt><dd>{s.next}</dd></>}</dl>}
    {!!s.left && <p class="dim">{count(s.left, "earlier step")} left out.</p>}
    {steps.length === 0 && <p class="dim">Its events were forgotten.</p>}
    <ol class="steps">{folded(steps).map((f, i) => <StepItem key={i} f={f} project={s.project} start={place(f.steps[0].at)} end={place(f.steps[f.steps.length - 1].at)} />)}</ol>
  </article>;
}

function StepItem({ f, project, start, end }: { f: Fold; project: string; start: number; end: number }) {
  const [open, setOpen] = useState(false);
  const s = f.steps[0], [icon, name] = looks[f.kind] || ["dot", f.kind];
  const tools = f.kind === "tool" ? tallied(f.steps.map(t => t.tool || "tool")) : "";
  const changed = [...new Set(f.steps.flatMap(t => t.changed || []))], files = [...new Set(f.steps.flatMap(t => t.files || []))];
  const long = f.kind === "tool" ? true : (s.text || "").length > 200 || !!s.answer;
  return <li class={"step " + f.kind}>
    <time title={full(s.at)}>{time(s.at)}</time>
    <span class="name"><Icon name={icon} />{f.kind === "suggest" ? shownWhen[s.answer?.moment || ""] || "shown" : f.kind === "tool" ? count(f.steps.length, "tool call") : name}</span>
    <span class="track" aria-hidden="true"><i style={{ left: `${start}%`, width: `max(4px, ${end - start}%)` }} /></span>
    <div class="said">
      {f.kind === "tool" ? <button class="quiet text" onClick={() => setOpen(!open)} aria-expanded={open}>{tools}{changed.length ? ` · changed ${changed.map(base).join(", ")}` : files.length ? ` · ${files.slice(0, 4).map(base).join(", ")}${files.length > 4 ? ` and ${files.length - 4} more` : ""}` : ""}</button>
        : s.answer ? <ul>{(open ? s.answer.lines : s.answer.lines.slice(0, fewLines)).map(l => <li key={l.id}>{l.memory ? <a class="quote" href={href("memories", { open: l.memory })}>{l.text || l.name}</a> : l.path ? <Path path={l.path} project={project} /> : <span class="dim">{lineName(l)}</span>}
          <span class={"outcome " + (l.said_again ? "said-again" : l.outcome || "none")}>{l.said_again ? "said again" : l.outcome === "used" ? "changed" : l.outcome === "unknown" ? "" : l.outcome}</span></li>)}
          {!open && s.answer.lines.length > fewLines && <li><button class="quiet" onClick={() => setOpen(true)}>{s.answer.lines.length - fewLines} more lines</button></li>}</ul>
          : <div class={"text" + (open ? " whole" : "")} onClick={() => long && setOpen(!open)}>{s.tool && f.kind === "tool_fail" ? <b>{s.tool} </b> : null}{s.text || s.input}{f.kind === "commit" || f.kind === "resolve" ? <span class="files">{files.slice(0, 8).map(x => <Path key={x} path={x} project={project} />)}</span> : null}</div>}
      {open && f.kind === "tool" && <ol class="calls">{f.steps.map((t, i) => <li key={i}><b>{t.tool}</b> <code>{t.input}</code>{t.files?.map(x => <Path key={x} path={x} project={project} />)}</li>)}</ol>}
    </div>
  </li>;
}

const base = (path: string) => path.slice(path.lastIndexOf("/") + 1);
function tallied(names: string[]): string {
  const n = new Map<string, number>();
  for (const name of names) n.set(name, (n.get(name) || 0) + 1);
  return [...n].map(([name, k]) => k > 1 ? `${name} ×${k}` : name).join(", ");
}

// Heat draws which session touched which file.
function Heat({ project, name }: { project?: string; name: string }) {
  const map = useAsk<HeatMap>("heatmap", project ? { project } : null);
  if (!map.data) return map.error ? <Problem text={map.error} /> : <Loading />;
  const m = map.data;
  if (m.files.length === 0) return <Empty title="No file was touched yet" command="hebb init">Once sessions read and change files of {name || "a project"}, this shows which session touched which.</Empty>;
  return <article class="heat">
    <header><h2>Files by session{name && <span class="dim"> in {name}</span>}</h2><p class="dim">Each column is a session, the latest at the right. Pale: read. Strong: changed.</p></header>
    <div class="grid"><table>
      <thead><tr><th scope="col"><span class="hidden">File</span></th>{m.sessions.map(s => <th key={s.id} scope="col"><a href={href("sessions", { session: s.id })} title={`${s.intent || "No prompt"} (${full(s.last_event_at)})`}><span class="hidden">{s.intent || "No prompt"}, {ago(s.last_event_at)}</span></a></th>)}</tr></thead>
      <tbody>{m.files.map(f => <tr key={f.path}><th scope="row"><Path path={f.path} project={project} /></th>
        {f.cells.map((c, i) => <td key={i} class={"h" + c} title={c ? `${c === 2 ? "changed" : "read"}: ${m.sessions[i].intent || "No prompt"}` : ""}><span class="hidden">{["", "read", "changed"][c]}</span></td>)}</tr>)}</tbody>
    </table></div>
  </article>;
}

// StateOfMind shows MEMORY.md as it is, as it was, and what a dream changed.
function StateOfMind({ project, day }: { project?: string; day?: string }) {
  const states = useAsk<States>("states", project ? { project } : null);
  const [picked, setPicked] = useState(""); // the ID of a state, none for that of now
  const [missing, setMissing] = useState(false); // no state of the day that was asked for is kept
  const [diff, setDiff] = useState(false);
  const s = states.data;
  const kept = (s?.kept || []).filter((k, i) => !k.refused && !(i === 0 && k.text === s!.now)); // the first one may be that of now
  const chosen = kept.findIndex(k => String(k.id) === picked); // -1: now
  const choose = (id: string) => { setPicked(id); setMissing(false); };
  useEffect(() => {
    if (!day || !s) return;
    const of = s.kept.find(k => !k.refused && k.at <= day);
    setPicked(of ? String(of.id) : "");
    setMissing(!of);
  }, [day, project, s?.kept.length]);
  if (!project) return <Empty title="No project yet" command="hebb init">A project's state of mind is what is left of its sessions.</Empty>;
  if (!s) return states.error ? <Problem text={states.error} /> : <Loading />;
  if (!s.now && kept.length === 0) return <Empty title="Nothing was dreamt yet" command="hebb state dream">A dream turns what sessions left behind into one short document that every session begins with.</Empty>;
  const versions: StateText[] = kept, text = chosen < 0 ? s.now : versions[chosen].text;
  const before = versions[chosen + 1]?.text || "";
  const restore = async () => {
    if (exported) return readOnly();
    if (await act("restore", { project, id: versions[chosen].id })) { toast("Restored. The state it replaced is kept as well."); choose(""); }
  };
  return <article class="state">
    <header><h2>MEMORY.md</h2>
      <div class="row"><label class="choice"><span>State</span><select value={chosen < 0 ? "" : picked} onChange={e => choose(e.currentTarget.value)}>
        <option value="">now</option>{versions.map(k => <option key={k.id} value={String(k.id)}>{full(k.at)}, by {k.by}</option>)}</select></label>
        <button aria-pressed={diff} onClick={() => setDiff(!diff)}>What changed</button>
        {chosen >= 0 && <button onClick={restore}><Icon name="undo" />Restore this state</button>}
        <span class="dim">{s.due.run ? `A dream is due: ${s.due.why}` : `No dream is due: ${s.due.why}`}</span></div></header>
    {missing && <p class="dim">No state of that day is kept. This is the one of now.</p>}
    {diff ? before ? <Diff before={before} after={text} by="lines" /> : <p class="dim">There is no earlier state to compare with.</p> : <Markdown text={text} />}
    {s.kept.some(k => k.refused) && <p class="dim">{count(s.kept.filter(k => k.refused).length, "state")} refused by the guards, the last one {ago(s.kept.find(k => k.refused)!.at)}: {s.kept.find(k => k.refused)!.refused}</p>}
  </article>;
}

