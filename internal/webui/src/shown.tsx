import { useEffect, useState } from "preact/hooks";
import { ask, exported, href, route, scope, toast, turn, useAsk } from "./api";
import { Editor, Empty, Icon, Loading, Path, Problem, Verdicts, judge, pin, useKeys } from "./parts";
import { agent, ago, count, full, momentNames, number, percent } from "./text";
import type { Answer, Count, Line, Memory, MemoryPage, Worth, WorthRow } from "./types";

const pageSize = 30, fewLines = 5, dayMs = 864e5;

// since is midnight some days ago: the same all day, so that the answer stays.
const since = (days: number) => new Date(new Date(Date.now() - days * dayMs).setHours(0, 0, 0, 0)).toISOString();

// Shown is the first screen: what agents were shown, and what became of it.
export function Shown() {
  const days = Number(route.value.params.days) || 30;
  const worth = useAsk<Worth>("worth", { ...scope(), since: since(days) });
  const answers = useAsk<Answer[]>("answers", { ...scope(), limit: pageSize });
  const [earlier, setEarlier] = useState<Answer[]>([]);
  const [atEnd, setAtEnd] = useState(false);
  const [editing, setEditing] = useState("");
  const key = JSON.stringify(scope());
  useEffect(() => { setEarlier([]); setAtEnd(false); }, [key]);
  const latest = answers.data || [];
  const known = new Set(latest.map(a => a.id));
  const list = [...latest, ...earlier.filter(a => !known.has(a.id))];
  const lines = list.flatMap(a => a.lines);
  const at = lines.findIndex(l => l.id === route.value.params.line);
  const move = (by: number) => {
    const next = lines[Math.max(0, Math.min(lines.length - 1, at < 0 ? 0 : at + by))];
    if (!next) return;
    turn({ line: next.id }, true);
    document.getElementById("line-" + next.id)?.scrollIntoView({ block: "nearest" });
  };
  const memoryOf = (then: (m: Memory) => void) => {
    const l = lines[at];
    if (!l) return toast("Move to a line first: j and k.");
    if (!l.memory) return toast("This line names a file. Only memories can be edited, pinned and deleted.");
    ask<MemoryPage>("memory", { id: l.memory }).then(then, e => toast(e.message, { bad: true }));
  };
  useKeys({
    j: () => move(1), k: () => move(-1),
    e: () => memoryOf(() => setEditing(lines[at].id)), p: () => memoryOf(pin), d: () => { if (lines[at]) judge({ line: lines[at].id }, "never"); },
    Enter: () => { const l = lines[at]; if (l) location.hash = l.memory ? href("memories", { open: l.memory }) : href("file", { path: l.path, project: l.project }); },
  });
  const more = async () => {
    const found = await ask<Answer[]>("answers", { ...scope(), limit: pageSize, before: list[list.length - 1].at }).catch(e => { toast(e.message, { bad: true }); return [] as Answer[]; });
    setEarlier(old => [...old, ...found]);
    setAtEnd(found.length === 0);
  };
  const refresh = () => {
    answers.again();
    if (earlier.length) ask<Answer[]>("answers", { ...scope(), limit: earlier.length, before: latest[latest.length - 1]?.at }).then(setEarlier, () => undefined);
  };
  return <main class="page shown" id="main">
    <h1 class="hidden">What agents were shown</h1>
    {worth.data && <Figures worth={worth.data} days={days} />}
    <Problem text={answers.error || worth.error} />
    {!answers.data && !answers.error && <Loading />}
    {answers.data && list.length === 0 && <Empty title="Nothing was shown yet" command="hebb agents install">
      Once an agent is connected, every prompt and session start that hebb answers is listed here, line by line, with what became of it.
    </Empty>}
    <ol class="answers">{list.map(a => <AnswerItem key={a.id} a={a} chosen={lines[at]?.id} editing={editing} stop={() => { setEditing(""); refresh(); }} refresh={refresh} />)}</ol>
    {list.length >= pageSize && !atEnd && !exported && <p class="more"><button onClick={more}>Show earlier answers</button></p>}
  </main>;
}

// Figures say how much was shown, at what price, and how much of it was right.
function Figures({ worth, days }: { worth: Worth; days: number }) {
  const row = (name: string, w: WorthRow) => <tr key={name}><th scope="row">{name}</th>{[w.lines, w.tokens, w.judged, w.right].map((n, i) => <td key={i}>{number(n)}</td>)}</tr>;
  return <section aria-label={`The last ${days} days`}>
    <div class="ranges" role="group" aria-label="Days">{[7, 30, 90].map(n =>
      <button key={n} aria-pressed={n === days} onClick={() => turn({ days: String(n) })}>{n} days</button>)}</div>
    <div class="worth"><table>
      <thead><tr><th scope="col">Shown at</th><th scope="col">Lines</th><th scope="col">Tokens</th><th scope="col">Judged</th><th scope="col" title="The session opened or changed the file, or you marked the line right.">Proved right</th></tr></thead>
      <tbody>{worth.moments.map(w => row(momentNames[w.moment || ""] || w.moment || "", w))}{row("in all", worth)}{worth.withheld.lines > 0 && row("withheld, to compare", worth.withheld)}</tbody>
    </table></div>
    <Missed what="answers did not come in time" of={worth.late} />
    <Missed what="events were lost" of={worth.lost} />
  </section>;
}

// Missed is counted by hooks that have no time left, in one figure for all days and projects.
const Missed = ({ what, of }: { what: string; of?: Count }) => of?.count ? <p class="dim">{number(of.count)} {what}, the last {ago(of.at)}: {of.reason}</p> : null;

export function AnswerItem({ a, chosen, editing, stop, refresh }: { a: Answer; chosen?: string; editing: string; stop: () => void; refresh: () => void }) {
  const [whole, setWhole] = useState(false);
  const long = (a.prompt || "").length > 140;
  const [all, setAll] = useState(false);
  const chosenInside = a.lines.findIndex(l => l.id === chosen) >= fewLines;
  const shown = all || chosenInside || a.lines.length <= fewLines + 1 ? a.lines : a.lines.slice(0, fewLines);
  return <li class="answer">
    <header>
      <span class={"moment " + a.moment}>{momentNames[a.moment] || a.moment}</span>
      {a.prompt ? <button class={"asked" + (whole ? " whole" : "")} onClick={() => setWhole(!whole)} aria-expanded={long ? whole : undefined}>{a.prompt}</button>
        : <span class="asked dim">{a.moment === "start" ? "A session begins" : "No prompt is kept"}</span>}
      <span class="meta">{[agent(a.agent), a.project_name].filter(Boolean).join(" · ")}
        {" · "}<a href={href("sessions", { session: a.session })} title={full(a.at)}>{ago(a.at)}</a>{" · "}{a.held ? "held back to compare" : count(a.tokens, "token")}</span>
    </header>
    <ul class="lines">{shown.map(l => editing === l.id
      ? <li key={l.id} class="line"><LineEditor l={l} done={stop} /></li>
      : <LineItem key={l.id} l={l} chosen={l.id === chosen} refresh={refresh} />)}
      {shown.length < a.lines.length && <li class="rest"><button class="quiet" onClick={() => setAll(true)}>{a.lines.length - shown.length} more lines</button></li>}</ul>
  </li>;
}

function LineEditor({ l, done }: { l: Line; done: () => void }) {
  const m = useAsk<MemoryPage>("memory", { id: l.memory });
  return m.data ? <Editor memory={m.data} done={done} /> : <Problem text={m.error} />;
}

// lineName says what a line is that names neither a file nor a memory.
const lineName = (l: Line) => l.offer === "context" ? "The text around it: the state of the project, goals, what happened last" : l.name;

const outcomes: Record<string, [string, string]> = {
  used: ["changed", "The session changed this file afterwards."], opened: ["opened", "The session opened this file afterwards."],
  ignored: ["ignored", "The session opened other files, not this one."], unknown: ["", ""], "": ["running", "The session is not over: what becomes of it is not known yet."],
};

function LineItem({ l, chosen, refresh }: { l: Line; chosen: boolean; refresh: () => void }) {
  const [name, why] = l.said_again ? ["said again", "The person had to say it again although it was shown."] : outcomes[l.outcome || ""] || [l.outcome, ""];
  const judgeable = !!(l.memory || l.path);
  return <li id={"line-" + l.id} class={"line" + (chosen ? " chosen" : "") + (l.held ? " held" : "")} onClick={() => turn({ line: l.id }, true)}>
    <Icon name={l.memory ? "memory" : l.offer === "command" ? "prompt" : l.offer === "fix" ? "fix" : l.path ? "file" : "spark"} />
    <span class="what">
      {l.memory ? <a class="quote" href={href("memories", { open: l.memory })}>{l.text || l.name}</a> : l.path ? <Path path={l.path} project={l.project} /> : l.offer === "context" ? <a href={href("sessions", { view: "state", day: l.shown_at, project: l.project })}>{lineName(l)}</a> : <span>{lineName(l)}</span>}
      {l.from && l.from !== "user" && <span class="why">{l.from}</span>}
      {l.reason && l.reason !== l.name && <span class="why">{l.reason}</span>}
    </span>
    <span class="sure" title="How sure hebb was">{l.confidence > 0 ? percent(l.confidence) : ""}</span>
    <span class="cost" title="Tokens of this line">{l.tokens} tok</span>
    <span class={"outcome " + (name || "none").replace(" ", "-")} title={why}>{name === "running" && !l.path ? "" : name}</span>
    {judgeable ? <Verdicts of={{ line: l.id }} given={l.verdict} about={(l.text || l.name).slice(0, 80)} then={refresh} /> : <span class="verdicts" />}
  </li>;
}
