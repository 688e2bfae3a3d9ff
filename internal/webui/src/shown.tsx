import { useEffect, useState } from "preact/hooks";
import { ask, exported, href, route, scope, toast, turn, useAsk } from "./api";
import { Chart, Editor, Empty, Icon, Loading, Path, Problem, Verdicts, judge, pin, useKeys } from "./parts";
import { agent, ago, count, date, full, momentNames, number, percent } from "./text";
import type { Answer, Count, Line, Memory, MemoryPage, Worth } from "./types";

const pageSize = 30, fewLines = 5;

// Shown is the first screen: what agents were shown, and what became of it.
export function Shown() {
  const days = Number(route.value.params.days) || 30;
  const worth = useAsk<Worth>("worth", { ...scope(), days, east: -new Date().getTimezoneOffset() });
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
  const times = worth.days.map(d => Date.parse(d.day + "T12:00:00") / 1000);
  const share = worth.judged ? worth.right / worth.judged : undefined;
  let right = 0, judged = 0;
  const smooth = worth.days.map((d, i) => { // of the last seven days: single days are too few lines to say anything
    right += d.right - (worth.days[i - 7]?.right || 0);
    judged += d.judged - (worth.days[i - 7]?.judged || 0);
    return judged ? right / judged : null;
  });
  const ends = <p class="ends dim"><span>{date(worth.days[0].day + "T12:00:00")}</span><span>today</span></p>;
  return <section aria-label={`The last ${days} days`}>
    <div class="ranges" role="group" aria-label="Days">{[7, 30, 90].map(n =>
      <button key={n} aria-pressed={n === days} onClick={() => turn({ days: String(n) })}>{n} days</button>)}</div>
    <div class="figures"><div class="figure">
      <h2 title="The session opened or changed the file, or you marked the line right. Files that were ignored and lines that you marked otherwise count against it.">Proved right</h2>
      <p class="big">{share === undefined ? "–" : percent(share)}</p>
      <p class="dim">{worth.judged ? `${number(worth.right)} of ${count(worth.judged, "judged line")}` : "no line was judged yet"}</p>
      <Chart times={times} format={percent} range={[0, 1]} label={`Share of lines that proved right, ${days} days`} series={[{ label: "right", values: smooth, kind: "line" }]} />
      {ends}
    </div>
    <div class="figure">
      <h2>Tokens spent</h2>
      <p class="big">{number(worth.tokens)}</p>
      <p class="dim">{count(worth.lines, "line")}{worth.lines ? `, ${Math.round(worth.tokens / worth.lines)} tokens each` : ""}</p>
      <Chart times={times} format={v => number(Math.round(v))} label={`Tokens spent by day, ${days} days`} series={[{ label: "tokens", values: worth.days.map(d => d.tokens), kind: "bars" }]} />
      {ends}
    </div>
    <div class="figure">
      <Missed title="Answers that did not come" of={worth.late} none="Every answer was ready in time." />
      <Missed title="Events that were lost" of={worth.lost} none="Everything that agents reported was kept." />
    </div></div>
  </section>;
}

// Missed is counted by hooks that have no time left, in one figure for all days and projects.
const Missed = ({ title, of, none }: { title: string; of?: Count; none: string }) => <>
  <h2>{title}</h2>
  <p class="big">{number(of?.count || 0)}</p>
  <p class="dim">{of?.count ? `in all, the last ${ago(of.at)}: ${of.reason}` : none}</p>
</>;

function AnswerItem({ a, chosen, editing, stop, refresh }: { a: Answer; chosen?: string; editing: string; stop: () => void; refresh: () => void }) {
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
export const lineName = (l: Line) => l.offer === "context" ? "The text around it: the state of the project, goals, what happened last" : l.name;

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
