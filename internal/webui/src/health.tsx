import { useEffect, useState } from "preact/hooks";
import { ask, scope, useAsk } from "./api";
import { Icon, Loading, Problem, Time, useClosing } from "./parts";
import { ago, count, number } from "./text";
import type { Finding } from "./types";

// examined is what the doctor said last. It looks at files and programs, so it is not asked whenever the store changes.
let examined: { at: number; found: Promise<Finding[]> } | undefined;
const examineAgain = 60e3;

function useDoctor() {
  const [state, setState] = useState<{ data?: Finding[]; error?: string }>({});
  useEffect(() => {
    if (!examined || Date.now() - examined.at > examineAgain) examined = { at: Date.now(), found: ask<Finding[]>("doctor") };
    examined.found.then(data => setState({ data }), e => { examined = undefined; setState({ error: e.message }); });
  }, []);
  return state;
}

// Health is what hebb depends on, how large it is, what it did in its sleep and what it wants.
export function Health({ close }: { close: () => void }) {
  const at = useClosing(close);
  const doctor = useDoctor();
  const stats = useAsk<any>("stats", scope());
  const goals = useAsk<any>("goals", { ...scope() });
  const mood = useAsk<any>("mood", {});
  const rank = { fail: 0, warn: 1, ok: 2 };
  const findings = [...(doctor.data || [])].sort((a, b) => rank[a.level] - rank[b.level]);
  const s = stats.data;
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
    {s && <section><h3>Last sleep</h3>{s.last_sleep ? <Slept r={s.last_sleep} /> : <p class="dim">It has not slept yet. <code>hebb sleep</code> lets it.</p>}</section>}
    <section><h3>Goals</h3>{wishes.length ? <ul class="plain">{wishes.slice(0, 8).map(({ goal: g }: any) => <li key={g.id}>{g.title} <span class="dim">{g.origin === "agent" ? "an agent's, " : ""}{g.status}</span></li>)}</ul> : <p class="dim">No goals yet. <code>hebb goals add</code> sets one.</p>}</section>
    {mood.data && <section><h3>Mood</h3><p>{mood.data.words}</p>{mood.data.effect && <p class="dim">{mood.data.effect}</p>}
      <ul class="plain">{(mood.data.causes || []).slice(0, 4).map((c: any, i: number) => <li key={i}>{c.event} <span class="dim">{ago(c.at)}{c.said ? `: ${c.said}` : ""}</span></li>)}</ul></section>}
  </section>;
}

// deeds are what a sleep counts, by where its report has it.
const deeds: [string, string, string, string?][] = [
  ["decay", "pruned_synapses", "link forgotten", "links forgotten"], ["decay", "pruned_neurons", "file or error forgotten", "files and errors forgotten"],
  ["decay", "weakened_noise_bridges", "weak link that goes unless it occurs again", "weak links that go unless they occur again"],
  ["homeostasis", "neurons_dampened", "file used far more than the others: damped", "files used far more than the others: damped"],
  ["homeostasis", "neurons_boosted", "rare file that matters: raised a little", "rare files that matter: raised a little"],
  ["homeostasis", "tags_expired", "new link without a second occurrence", "new links without a second occurrence"],
  ["consolidation", "sessions_replayed", "session replayed", "sessions replayed"], ["consolidation", "synapses_strengthened", "link strengthened", "links strengthened"],
  ["consolidation", "patterns_discovered", "pair of files that several sessions share", "pairs of files that several sessions share"],
  ["consolidation", "temporal_pairs_found", "pair of files used close in time", "pairs of files used close in time"],
  ["consolidation", "directional_boosts", "link in which one file always comes first", "links in which one file always comes first"],
  ["consolidation", "triplets_found", "group of three files that belong together", "groups of three files that belong together"],
  ["consolidation", "neurons_reviewed", "file reviewed before it fades", "files reviewed before they fade"],
  ["consolidation", "neurons_forgotten", "file that missed its reviews", "files that missed their reviews"],
  ["consolidation", "calls_packed", "old tool call packed", "old tool calls packed"],
  ["crystals", "merged", "memory merged into one that says the same", "memories merged into ones that say the same"],
  ["crystals", "expired", "memory faded", "memories faded"], ["crystals", "grown", "memory moved to its next stage", "memories moved to their next stage"],
  ["thinking", "connections", "connection to goals", "connections to goals"], ["budget", "sessions", "old session forgotten for the size budget", "old sessions forgotten for the size budget"],
];

// Slept is all that is kept of a sleep.
function Slept({ r }: { r: any }) {
  const took = Object.values(r.took_ms || {}).reduce((a: number, b: any) => a + b, 0) as number;
  const did = deeds.filter(([part, what]) => r[part]?.[what] > 0), h = r.homeostasis;
  const examples: { what: string[]; why: string }[] = r.decay?.examples || [];
  return <>
    <p><Time at={r.at} />: looked at {count(r.links, "link")} and {count(r.neurons, "file or error", "files and errors")} in {took < 1000 ? `${Math.round(took)} ms` : `${(took / 1000).toFixed(1)} s`}.</p>
    <dl class="deeds">{did.map(([part, what, one, many]) => <><dt key={part + what}>{number(r[part][what])}</dt><dd>{r[part][what] === 1 ? one : many}</dd></>)}
      {h?.weight_scaled && <><dt>× {h.weight_scale_factor.toFixed(2)}</dt><dd>all weights: their mean was above the target</dd></>}
      {h?.myelin_scaled && <><dt>× {h.myelin_scale_factor.toFixed(2)}</dt><dd>all myelin: its mean was above the target</dd></>}</dl>
    {did.length === 0 && <p class="dim">There was nothing to do.</p>}
    {examples.length > 0 && <ul class="plain gone">{examples.map((e, i) => <li key={i}><code>{e.what.join(" ↔ ")}</code> <span class="dim">{e.why}</span></li>)}</ul>}
    {r.decay?.pruned_synapses + r.decay?.pruned_neurons > 0 && <p class="dim"><code>hebb sleep --undo --sleep {r.id}</code> brings back what went.</p>}
  </>;
}
