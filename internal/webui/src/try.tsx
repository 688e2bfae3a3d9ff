import { useEffect, useRef, useState } from "preact/hooks";
import { exported, href, route, turn, useAsk } from "./api";
import { Bar, Empty, Icon, Loading, Path, Problem, Time } from "./parts";
import { agent, ago, count, date, kind, number, percent, whose } from "./text";
import type { Facets, FilePage, Memory, Recalled, Tried } from "./types";

// Try shows what a prompt would be answered with, and what was weighed for it.
export function Try() {
  const p = route.value.params;
  const facets = useAsk<Facets>("facets", {});
  const project = p.project || facets.data?.projects[0]?.id;
  const [text, setText] = useState(p.prompt || "");
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => { if (!p.prompt) field.current?.focus(); }, []);
  const tried = useAsk<Tried>("try", p.prompt && project && !exported ? { project, text: p.prompt } : null);
  const t = tried.data;
  const name = facets.data?.projects.find(o => o.id === project)?.name;
  const shown = new Set((t?.shown.lines || []).map(l => l.path || l.memory));
  if (exported) return <main class="page" id="main"><Empty title="Not in a copy" command="hebb ui">A copy that was exported cannot answer prompts.</Empty></main>;
  return <main class="page try" id="main">
    <h1>Try a prompt{name && <span class="dim"> in {name}</span>}</h1>
    <form onSubmit={e => { e.preventDefault(); turn({ prompt: text.trim() || undefined }); }}>
      <textarea ref={field} rows={3} value={text} placeholder="Fix the redirect after login" aria-label="A prompt"
        onInput={e => setText(e.currentTarget.value)} onKeyDown={e => { if (e.key === "Enter" && (e.metaKey || e.ctrlKey)) turn({ prompt: text.trim() || undefined }); }} />
      <div class="row"><button class="primary" disabled={!text.trim() || !project}>See the answer</button><span class="dim">Ctrl Enter. It leaves no trace: no agent is asked and nothing is kept.</span></div>
    </form>
    <Problem text={tried.error} />
    {p.prompt && !t && !tried.error && <Loading />}
    {!p.prompt && <Empty title="What would hebb say?" command={'hebb recall "fix the redirect after login"'}>Type what you would ask your agent. You see the ranked files and memories, what passes the gate, and the exact text that would be injected.</Empty>}
    {t && <>
      <section class="injected"><h2>What {t.agent && t.agent !== "user" ? agent(t.agent) : "an agent"} would read</h2>
        {t.shown.text ? <><pre tabIndex={0}>{t.shown.text}</pre><p class="bill"><Bar share={t.tokens / t.budget} label={`${t.tokens} of ${t.budget} tokens`} />{count(t.tokens, "token")} of at most {number(t.budget)}</p></>
          : <p class="silent">{t.silent}</p>}</section>
      <div class="columns">
        <section><h2>Files <span class="dim">pass from {percent(t.file_gate)}</span></h2>
          {t.files.length + t.fixes.length === 0 && <p class="dim">Nothing in the past speaks for a file.</p>}
          <ol class="ranked">{[...t.fixes.map(f => ({ ...f, reason: "fixed this error before: " + f.reason })), ...t.files].map(f => <Ranked key={f.path + f.reason} f={f} gate={t.file_gate} most={t.most_files} project={project!} shown={shown.has(f.path)} />)}</ol></section>
        <section><h2>Memories <span class="dim">pass from {percent(t.memory_gate)}</span></h2>
          {t.memories.length === 0 && <p class="dim">Nothing was said that holds here.</p>}
          <ol class="ranked">{t.memories.map(m => <li key={m.id} class={shown.has(m.id) ? "shown" : ""}>
            <div class="line"><a class="quote" href={href("memories", { open: m.id })}>{m.text}</a><Pass yes={shown.has(m.id)} /></div>
            <div class="weigh"><Bar share={m.probability} gate={t.memory_gate} label={`needed with ${percent(m.probability)}`} />{percent(m.probability)}<span class="dim">{whose(m)}, {kind(m.kind)}, {ago(m.said_at)}</span></div>
          </li>)}</ol></section>
      </div></>}
  </main>;
}

// Pass says whether an agent would be shown a line, and why not although it is sure enough.
const Pass = ({ yes, but }: { yes: boolean; but?: string }) => yes ? <span class="outcome changed">shown</span> : <span class="outcome none" title={but}>{but ? "passes, not shown" : "not shown"}</span>;

function Ranked({ f, gate, most, project, shown }: { f: Recalled; gate: number; most: number; project: string; shown: boolean }) {
  const [open, setOpen] = useState(false);
  const more = !!(f.evidence?.length || f.parts?.length);
  return <li class={shown ? "shown" : ""}>
    <div class="line"><Path path={f.path} project={project} /><Pass yes={shown} but={f.confidence >= gate && most ? `An answer names ${count(most, "file")} at most, and none that you said not to show.` : undefined} /></div>
    <div class="weigh"><Bar share={f.confidence} gate={gate} label={`${percent(f.confidence)} sure`} />{percent(f.confidence)}
      {more ? <button class="quiet text" onClick={() => setOpen(!open)} aria-expanded={open}>{f.reason}</button> : <span class="dim">{f.reason}</span>}</div>
    {open && <ul class="evidence">{f.evidence?.map((e, i) => <li key={i}><b>{e.kind}</b> {e.text} <span class="dim">{e.why}, {ago(e.at)}</span></li>)}
      {f.parts?.filter(x => Math.abs(x.share) >= 0.05).map(x => <li key={x.term}><Bar share={x.share} label={percent(x.share)} /> <span class="dim">{x.meaning}</span></li>)}</ul>}
  </li>;
}

// FileView is the page of one file: opened from any path.
export function FileView() {
  const p = route.value.params;
  const facets = useAsk<Facets>("facets", {});
  const project = p.project || facets.data?.projects[0]?.id;
  const file = useAsk<FilePage>("file", project && p.path ? { project, path: p.path } : null);
  const f = file.data;
  const cut = (p.path || "").lastIndexOf("/") + 1;
  return <main class="page file" id="main">
    <h1 class="filename"><span class="dim">{(p.path || "").slice(0, cut)}</span>{(p.path || "").slice(cut)}</h1>
    <Problem text={file.error} />
    {!f && !file.error && <Loading />}
    {f && <>
      <p class="dim">{f.state ? <>Touched {count(f.state.accesses, "time")}, first {date(f.state.first_at)}, last <Time at={f.state.last_at} />. {count(f.state.links, "link")} to other files.
        {f.state.standing < 1 && ` It was shown and ignored: ${percent(f.state.standing)} of its say is left.`}</> : "No session has touched it; what is here comes from commits."}</p>
      <div class="columns">
        <section><h2>Belongs with</h2>{f.companions.length === 0 && <p class="dim">No file keeps coming up with it.</p>}
          <ol class="ranked">{f.companions.map(c => <li key={c.path}><div class="line"><Path path={c.path} project={project} /></div>
            <div class="weigh"><Bar share={c.weight} label={`weight ${c.weight.toFixed(2)}`} /><span class="dim">{[c.commits && count(c.commits, "commit"), c.sessions && count(c.sessions, "session")].filter(Boolean).join(", ") || "linked"} together, last {ago(c.last_at)}</span></div></li>)}</ol></section>
        <section><h2>Said about it</h2>{f.memories.length === 0 && <p class="dim">Nothing that holds was said about it.</p>}
          <ul class="plain">{f.memories.map((m: Memory) => <li key={m.id}><a class="quote" href={href("memories", { open: m.id })}>{m.text}</a> <span class="dim">{whose(m)}, {kind(m.kind)}, {ago(m.said_at)}</span></li>)}</ul>
          <h2>Errors met here</h2>{f.errors.length === 0 && <p class="dim">None is known.</p>}
          <ul class="plain">{f.errors.map(e => <li key={e.text}><Icon name="error" /><code>{e.text}</code> <span class="dim">{count(e.times, "time")}, last {ago(e.last_at)}</span></li>)}</ul></section>
      </div></>}
  </main>;
}
