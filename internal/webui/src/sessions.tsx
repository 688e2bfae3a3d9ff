import { useEffect, useState } from "preact/hooks";
import { act, exported, href, readOnly, route, scope, toast, turn, useAsk } from "./api";
import { Diff, Empty, Icon, Loading, Markdown, Problem, useKeys } from "./parts";
import { AnswerItem } from "./shown";
import { agent, ago, count, date, full, span } from "./text";
import type { Answer, Facets, Session, StateText, States } from "./types";

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
  return <main class={"page split" + (p.session || p.view ? " inside" : "")} id="main">
    <h1 class="hidden">Sessions</h1>
    <nav class="list" aria-label="Sessions">
      <Problem text={list.error} />
      {list.data === undefined && !list.error && <Loading />}
      <a class="top" aria-current={!p.session ? "page" : undefined} href={href("sessions", { view: "state" })}>State of mind (MEMORY.md)</a>
      {sessions.map((s, i) => <>
        {(i === 0 || date(s.last_event_at) !== date(sessions[i - 1].last_event_at)) && <h2 key={"d" + s.id}>{date(s.last_event_at)}</h2>}
        <a key={s.id} id={"s-" + s.id} href={href("sessions", { session: s.id })} aria-current={s.id === p.session ? "page" : undefined}>
          <b>{s.intent || "No prompt"}</b>
          <span>{agent(s.agent)}{p.project ? "" : ` · ${names.get(s.project) || ""}`} · {count(s.events, "event")} · {s.closed_at ? span(s.opened_at, s.last_event_at) : "running"}</span>
        </a></>)}
    </nav>
    <section class="inside-view"><a class="back" href={href("sessions")}>All sessions</a>{p.session ? <One key={p.session} id={p.session} of={sessions[at]} /> : <StateOfMind project={project} day={p.day} />}</section>
  </main>;
}

// One is a session: what was asked first, what came of it, and what it was shown.
function One({ id, of }: { id: string; of?: Session }) {
  const answers = useAsk<Answer[]>("answers", { all: true, session: id });
  const [editing, setEditing] = useState("");
  return <article class="one">
    <header><h2>{of ? of.intent || "No prompt" : "Session"}</h2>
      {of && <p class="dim">{agent(of.agent)} · {full(of.opened_at)} · {of.closed_at ? span(of.opened_at, of.last_event_at) : "running"} · {count(of.events, "event")}
        {" · "}<a href={href("sessions", { view: "state", day: of.last_event_at, project: of.project })}>MEMORY.md of that day</a></p>}</header>
    {of && (of.happened || of.learned || of.next) && <dl class="summary">{of.happened && <><dt>Happened</dt><dd>{of.happened}</dd></>}{of.learned && <><dt>Learned</dt><dd>{of.learned}</dd></>}{of.next && <><dt>Next</dt><dd>{of.next}</dd></>}</dl>}
    <Problem text={answers.error} />
    {answers.data?.length === 0 && <p class="dim">It was shown nothing. <code>hebb sessions events --session {id}</code> lists what it did.</p>}
    <ol class="answers">{(answers.data || []).slice().reverse().map(a => <AnswerItem key={a.id} a={a} editing={editing} stop={() => { setEditing(""); answers.again(); }} refresh={answers.again} />)}</ol>
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

