import { useEffect, useRef, useState } from "preact/hooks";
import { ask, exported, forget, gone, href, keptForLater, readOnly, route, scope, toast, turn, useAsk, version } from "./api";
import { Actions, Bar, Diff, Editor, Empty, Icon, Path, Problem, Time, pin, useKeys, useVirtual } from "./parts";
import { agent, ago, count, date, fades, full, kind, kinds, left, number, originNames, percent, whose } from "./text";
import type { Facets, Memory, MemoryPage, Remembered, Verdict } from "./types";

const pageSize = 100, rowHeight = 41, headHeight = 36, dayMs = 864e5;

// filters are what the address says of the list.
function filters() {
  const p = route.value.params;
  const asOf = p.asof ? new Date(p.asof + "T23:59:59").toISOString() : undefined;
  return {
    ...scope(), kinds: p.kind ? [p.kind] : undefined, origin: p.origin || undefined, agent: p.agent || undefined, contains: p.contains || undefined,
    since: p.age ? new Date(startOfDay(Date.now() - Number(p.age) * dayMs)).toISOString() : undefined, as_of: asOf, history: p.history ? true : undefined,
  };
}
const startOfDay = (ms: number) => new Date(ms).setHours(0, 0, 0, 0);

// usePages reads a long list page by page, as it comes into sight.
function usePages(chosen: object) {
  const key = JSON.stringify(chosen);
  const [total, setTotal] = useState<number | undefined>();
  const [error, setError] = useState("");
  const [, redraw] = useState(0);
  const [seen, setSeen] = useState(0); // the generation that the last answer is of
  const pages = useRef(new Map<number, Memory[]>());
  const asked = useRef(new Map<number, number>());
  const current = useRef(key);
  const generation = version.value;
  const load = (page: number) => {
    asked.current.set(page, generation);
    ask<Remembered>("remembered", { ...chosen, offset: page * pageSize, limit: pageSize }).then(out => {
      if (current.current !== key) return;
      pages.current.set(page, out.rows || []);
      setTotal(out.total);
      setError("");
      setSeen(generation);
      redraw(n => n + 1);
    }, e => { if (current.current === key) setError(e.message); });
  };
  useEffect(() => {
    if (current.current !== key) { pages.current.clear(); asked.current.clear(); current.current = key; }
    const seen = [...pages.current.keys()];
    if (seen.length > 6) { for (const page of seen) { pages.current.delete(page); asked.current.delete(page); } load(0); }
    else for (const page of new Set([0, ...seen])) load(page);
  }, [key, generation]);
  return {
    total, error, seen,
    row(i: number): Memory | undefined {
      const page = Math.floor(i / pageSize);
      if (!asked.current.has(page)) queueMicrotask(() => { if (!asked.current.has(page)) load(page); });
      return pages.current.get(page)?.[i % pageSize];
    },
  };
}

export function Memories() {
  const p = route.value.params;
  const chosen = filters();
  const list = usePages(chosen);
  const facets = useAsk<Facets>("facets", {});
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const [at, setAt] = useState(-1);
  const [editing, setEditing] = useState("");
  const scroller = useRef<HTMLDivElement>(null);
  const total = list.total || 0;
  const direct = useAsk<MemoryPage>("memory", p.open ? { id: p.open } : null);
  const virtual = useVirtual(total, scroller, rowHeight);
  const items = virtual.getVirtualItems();
  const tall = virtual.getTotalSize() + headHeight; // a short list has no empty box below it
  const [alone, setAlone] = useState<string | undefined>(p.open); // what a link led to stands above the list
  const above = !!p.open && alone === p.open;
  const edited = useRef(""); // what an edit made: it stands where it stood, or above a list that it does not fit any more
  const seek = () => { if (p.open && !items.some(i => list.row(i.index)?.id === p.open)) setAlone(p.open); };
  useEffect(() => { if (p.open !== edited.current) seek(); }, [p.open]);
  useEffect(() => { if (p.open === edited.current) { edited.current = ""; seek(); } }, [list.seen]);
  const saved = (id: string) => { if (above) setAlone(id); else edited.current = id; turn({ open: id }, true); };

  const move = (by: number) => {
    const next = Math.max(0, Math.min(total - 1, at + by));
    setAt(next);
    virtual.scrollToIndex(next, { align: "auto" });
  };
  const current = () => list.row(at) || (direct.data && p.open ? direct.data : undefined);
  const withRow = (then: (m: Memory) => void) => { const m = current(); if (m) then(m); else toast("Move to a memory first: j and k."); };
  const open = (id?: string) => turn({ open: p.open === id ? undefined : id }, true);
  useKeys({
    j: () => move(1), k: () => move(-1), ArrowDown: () => move(1), ArrowUp: () => move(-1),
    Enter: () => withRow(m => open(m.id)), e: () => withRow(m => { if (p.open !== m.id) open(m.id); setEditing(m.id); }),
    p: () => withRow(pin), d: () => picked.size ? bulkForget() : withRow(m => forget([m.id])), x: () => withRow(m => pick(m.id)),
    Escape: () => { if (picked.size) setPicked(new Set()); else if (p.open) open(p.open); },
  });
  const pick = (id: string) => setPicked(old => { const next = new Set(old); if (!next.delete(id)) next.add(id); return next; });
  const bulkForget = () => { forget([...picked]); setPicked(new Set()); };
  const bulk = async (verdict: Verdict, done: string) => {
    if (exported) return readOnly();
    const good: string[] = [];
    let wait = false;
    for (const memory of picked) await ask<{ waiting?: boolean }>("verdict", { memory, verdict }).then(out => { if (out.waiting) wait = true; else good.push(memory); }, e => toast(e.message, { bad: true }));
    setPicked(new Set());
    version.value++;
    if (wait) toast(keptForLater);
    if (good.length) toast(`${count(good.length, "memory", "memories")} ${done}.`, { undo: async () => {
      for (const memory of good) await ask("verdict", { memory, undo: true }).catch(e => toast(e.message, { bad: true }));
      version.value++;
    } });
  };
  const narrowed = !!(p.kind || p.origin || p.agent || p.contains || p.age || p.asof);
  return <main class="page wide memories" id="main">
    <h1 class="hidden">Memories</h1>
    <div class="filters">
      <Choice label="Kind" any="Any kind" name="kind" values={kinds.map(k => [k, kind(k)])} />
      <Choice label="Said by" any="Said by anyone" name="origin" values={["user", "agent", "file", "import", "repo", "tool"].map(o => [o, originNames[o]])} />
      <Choice label="Agent" any="Any agent" name="agent" values={(facets.data?.agents || []).map(a => [a, agent(a)])} />
      <Choice label="Age" any="Any age" name="age" values={[["1", "Since yesterday"], ["7", "Last 7 days"], ["30", "Last 30 days"], ["365", "Last year"]]} />
      <label class="check"><input type="checkbox" checked={!!p.history} onChange={e => turn({ history: e.currentTarget.checked ? "1" : undefined })} />with history</label>
      <AsOf first={facets.data?.first} />
      <span class="total" role="status">{list.total === undefined ? "" : count(total, "memory", "memories")}</span>
    </div>
    <Problem text={list.error} />
    {above && direct.data && direct.data.id === p.open && <section class="alone" aria-label="The memory that was opened">
      <Row m={direct.data} chosen={false} picked={picked.has(direct.data.id)} opened pick={pick} open={open} index={-1} />
      <Detail id={p.open} row={direct.data} editing={editing === p.open} edit={setEditing} saved={saved} />
    </section>}
    {picked.size > 0 && <div class="bulk" role="toolbar" aria-label="For the memories that are selected">
      <b>{picked.size} selected</b>
      <button onClick={() => bulk("right", "confirmed")}><Icon name="check" />Confirm</button>
      <button onClick={() => bulk("wrong", "rejected")}><Icon name="cross" />Reject</button>
      <button onClick={() => bulk("outdated", "ended")}><Icon name="clock" />Outdated</button>
      <button class="danger" onClick={bulkForget}><Icon name="trash" />Forget</button>
      <button class="quiet" onClick={() => setPicked(new Set())}>Clear</button>
    </div>}
    {list.total === 0 && (narrowed ? <Empty title="No memory fits">Take a filter away, or look with history: what was replaced or has faded is found there.</Empty>
        : <Empty title="Nothing is remembered yet" command={'hebb remember "We deploy on Tuesdays"'}>hebb listens to your prompts and keeps what will matter later. You can also tell it:</Empty>)}
    <div class="table" role="table" aria-label="Memories" aria-rowcount={total} hidden={total === 0} style={{ maxHeight: `${tall}px`, minHeight: `${Math.min(tall, 340)}px` }}>
      <div class="head" role="rowgroup"><div class="cells" role="row">
        <span role="columnheader"><span class="hidden">Select</span></span><span role="columnheader">Memory</span><span role="columnheader" class="c-kind">Kind</span>
        <span role="columnheader" class="c-said">Said</span><span role="columnheader" class="c-used">Last used</span><span role="columnheader" class="c-sure">Sure</span><span role="columnheader" class="c-fades">Fades</span>
      </div></div>
      <div class="body" ref={scroller} tabIndex={0} role="rowgroup" aria-label="Rows">
        <div style={{ height: `${virtual.getTotalSize()}px`, position: "relative" }}>{items.map(item => {
          const m = list.row(item.index);
          return <div key={item.key} data-index={item.index} ref={virtual.measureElement} class="item" style={{ transform: `translateY(${item.start}px)` }}>
            {!m ? <div class="cells blank" role="row"><span role="cell" /></div> : gone.value.has(m.id) ? <div class="cells blank" role="row"><span role="cell" /><span role="cell" class="dim">forgotten</span></div> : <>
              <Row m={m} chosen={item.index === at} picked={picked.has(m.id)} opened={!above && p.open === m.id} index={item.index} pick={pick} open={id => {
                setAt(item.index);
                setAlone(undefined);
                if (above && p.open === id) return;
                open(id);
                setTimeout(() => virtual.scrollToIndex(item.index, { align: "auto" }), 120);
              }} />
              {!above && p.open === m.id && <Detail id={m.id} row={m} editing={editing === m.id} edit={setEditing} saved={saved} />}</>}
          </div>;
        })}</div>
      </div>
    </div>
  </main>;
}

const Choice = ({ label, any, name, values }: { label: string; any: string; name: string; values: string[][] }) =>
  <label class={"choice" + (route.value.params[name] ? " set" : "")}><span class="hidden">{label}</span>
    <select value={route.value.params[name] || ""} onChange={e => turn({ [name]: e.currentTarget.value || undefined, open: undefined })}>
      <option value="">{any}</option>{values.map(([v, text]) => <option key={v} value={v}>{text}</option>)}
    </select></label>;

// AsOf moves through time: the list shows what was believed on a day.
function AsOf({ first }: { first?: string }) {
  const today = startOfDay(Date.now());
  const days = first ? Math.max(1, Math.round((today - startOfDay(Date.parse(first))) / dayMs)) : 1;
  const asOf = route.value.params.asof;
  const value = asOf ? days - Math.round((today - Date.parse(asOf + "T00:00:00")) / dayMs) : days;
  const [shown, setShown] = useState<number | undefined>();
  const day = (n: number) => new Date(today - (days - n) * dayMs);
  const iso = (d: Date) => `${d.getFullYear()}-${String(d.getMonth() + 1).padStart(2, "0")}-${String(d.getDate()).padStart(2, "0")}`;
  const n = shown ?? value;
  return <label class={"asof" + (n < days ? " set" : "")}><span>As of</span>
    <input type="range" min={0} max={days} value={n} aria-valuetext={n >= days ? "today" : date(day(n).toISOString())} disabled={!first}
      onInput={e => setShown(Number(e.currentTarget.value))}
      onChange={e => { const v = Number(e.currentTarget.value); setShown(undefined); turn({ asof: v >= days ? undefined : iso(day(v)), open: undefined }); }} />
    <output>{n >= days ? "today" : date(day(n).toISOString())}</output></label>;
}

function Row({ m, chosen, picked, opened, index, pick, open }: {
  m: Memory; chosen: boolean; picked: boolean; opened: boolean; index: number; pick: (id: string) => void; open: (id: string) => void;
}) {
  const over = m.valid_to || ["archived", "expired"].includes(m.lifecycle);
  return <div class={"cells row" + (chosen ? " chosen" : "") + (opened ? " opened" : "") + (over ? " over" : "")} role="row" aria-rowindex={index + 1}>
    <span role="cell"><input type="checkbox" checked={picked} onChange={() => pick(m.id)} aria-label={"Select: " + m.text.slice(0, 60)} /></span>
    <span role="cell" class="c-text"><button onClick={() => open(m.id)} aria-expanded={opened}>{m.pin && <Icon name="pin" />}<span>{m.text}</span></button>
      {m.unsure && <em class="flag">code changed</em>}
      {m.state && <em class="flag calm">{m.state === "archived" ? "not shown unasked" : m.state}</em>}</span>
    <span role="cell" class="c-kind"><span class={"kind " + m.kind}>{kind(m.kind)}</span></span>
    <span role="cell" class="c-said"><Time at={m.said_at} /><i>{whose(m)}{m.agent && m.agent !== "user" ? ` in ${agent(m.agent)}` : ""}{m.project_name ? ` · ${m.project_name}` : " · everywhere"}</i></span>
    <span role="cell" class="c-used">{m.accesses ? <Time at={m.last_at} /> : <span class="dim">not yet</span>}</span>
    <span role="cell" class="c-sure">{m.heard ? <><Bar share={m.sure} label={`${percent(m.sure)} sure that it was meant to last`} />{percent(m.sure)}</> : <span class="dim">{m.origin === "file" ? "written" : "stated"}</span>}</span>
    <span role="cell" class="c-fades">{over ? <span class="dim">over</span> : m.fades_at ? <><Bar share={left(m)} label={`${percent(left(m))} of its life is left, strength ${m.strength.toFixed(2)}`} /><time title={full(m.fades_at)}>{fades(m.fades_at)}</time></> : <span class="dim">never</span>}</span>
  </div>;
}

const traceNames: Record<string, string> = {
  said: "said", "said again": "said again", superseded: "replaced", merged: "merged with another", expired: "faded", confirmed: "confirmed", doubted: "doubted: its code changed",
  used: "used", "called wrong": "called wrong", proposed: "change proposed", outdated: "called outdated", "put away": "not to be shown unasked", "taken back": "verdict taken back",
  praised: "praised", contradicted: "contradicted",
};

// Detail is everything about one memory, in place.
function Detail({ id, row, editing, edit, saved }: { id: string; row: Memory; editing: boolean; edit: (id: string) => void; saved: (id: string) => void }) {
  const page = useAsk<MemoryPage>("memory", { id });
  const m = page.data;
  return <div class="detail" role="row"><div role="cell">
    {editing ? <Editor memory={row} done={id => { edit(""); if (id) saved(id); }} /> : <blockquote class="full">{row.text}</blockquote>}
    {!editing && <Actions m={{ ...row, pin: m?.pin ?? row.pin, verdict: m ? m.verdict : row.verdict }} edit={() => edit(id)} />}
    <Problem text={page.error} />
    {m && <div class="facts">
      <section><h3>History</h3><ol class="traces">
        {m.why.traces?.map((t, i) => <li key={i}><time title={full(t.at)}>{date(t.at)}</time> {traceNames[t.what] || t.what}</li>)}</ol>
        {m.why.from.map(o => <div key={o.id} class="versus"><p class="dim">In place of, said {date(o.said_at)}:</p><Diff before={o.text} after={m.text} /></div>)}
        {m.why.since.map(o => <div key={o.id} class="versus"><p class="dim">Replaced {date(o.said_at)} by:</p><Diff before={m.text} after={o.text} />
          <a href={href("memories", { open: o.id })}>Open it</a></div>)}</section>
      <section><h3>Where it comes from</h3>
        {m.why.prompt ? <blockquote class="said-in">{m.why.prompt}</blockquote> : <p class="dim">{m.heard ? "The prompt is not kept any more." : m.origin === "file" ? `It stands in ${m.source}. Change it there: hebb follows.` : m.why.from.length ? "Somebody put it in the place of an earlier text." : "Somebody asked to remember it."}</p>}
        {m.session && <p><a href={href("sessions", { session: m.session })}>Open its session</a></p>}
        {!!m.anchors?.length && <p class="files">{m.anchors.map(a => <Path key={a.path + (a.symbol || "")} path={a.path} project={m.project} />)}</p>}
        <p class="dim">{m.shown?.length ? `Shown to agents ${number(m.shown.length)}${m.shown.length === 20 ? " times or more" : m.shown.length === 1 ? " time" : " times"}, last ${ago(m.shown[0].shown_at)}.` : "Not shown to an agent yet."}</p>
        <p class="dim">{m.fades_at ? `Fades on ${date(m.fades_at)} unless it is used or said again.` : m.valid_to ? `Ended on ${date(m.valid_to)}.` : "Does not fade."}</p>
        <p class="dim id">{m.id}</p></section>
    </div>}
  </div></div>;
}
