import { signal, batch } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Memory } from "./types";

// An exported page has its data in it and asks nobody.
type Exported = Record<string, any>;
const embedded = document.getElementById("export");
export const exported: Exported | null = embedded ? JSON.parse(embedded.textContent || "null") : null;

// version grows whenever the store has changed: what is on the screen asks again.
export const version = signal(0);
export const link = signal<"live" | "lost" | "ended">("live");

// ask runs an operation.
export async function ask<T>(name: string, input: object = {}): Promise<T> {
  if (exported) return fromExport(name, input as any) as T;
  const answer = await fetch("api/" + name, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(input), keepalive: name === "forget",
  }).catch(() => { throw new Error("hebb ui does not answer. Start it again: hebb ui"); });
  const out = await answer.json().catch(() => ({ error: answer.statusText }));
  if (!answer.ok) throw new Error(out.error || answer.statusText);
  return out;
}

// fromExport finds an answer among those that were exported.
function fromExport(name: string, input: any): any {
  const all = exported![name];
  const same = (project: string | undefined) => !input.project || !project || project === input.project;
  switch (name) {
    case "remembered": {
      const words = (input.contains || "").toLowerCase();
      const rows = (all as Memory[]).filter(m => same(m.project) && (!input.kinds || input.kinds.includes(m.kind)) && (!input.origin || m.origin === input.origin) &&
        (!input.agent || m.agent === input.agent) && m.text.toLowerCase().includes(words) && (!input.since || m.said_at >= input.since) &&
        (!input.as_of || m.said_at <= input.as_of));
      return { total: rows.length, rows: rows.slice(input.offset || 0, (input.offset || 0) + input.limit) };
    }
    case "answers": return input.before ? [] : all.filter((a: any) => same(a.project) && (!input.session || a.session === input.session));
    case "sessions": return all.filter((s: any) => same(s.project));
    case "memory": if (all[input.id]) return all[input.id]; break;
    case "file": if (all[`${input.project} ${input.path}`]) return all[`${input.project} ${input.path}`]; throw new Error("This is a copy that was exported: it holds the pages of the 50 files that were shown last. hebb ui shows all.");
    case "states": if (all[input.project]) return all[input.project]; break;
    default: if (all !== undefined) return all;
  }
  throw new Error("This is a copy that was exported: it does not hold that. hebb ui shows everything.");
}

export interface Asked<T> { data?: T; error?: string; again(): void; set(change: (old: T) => T): void }

// useAsk asks when the input changes and when the store has changed. What was answered stays until there is something newer.
export function useAsk<T>(name: string, input: object | null): Asked<T> {
  const key = name + JSON.stringify(input);
  const [state, setState] = useState<{ key: string; data?: T; error?: string }>({ key: "" });
  const [turn, setTurn] = useState(0);
  const latest = useRef(0);
  const seen = version.value;
  useEffect(() => {
    if (!input) return;
    const mine = ++latest.current;
    ask<T>(name, input).then(
      data => { if (mine === latest.current) setState({ key, data }); },
      error => { if (mine === latest.current) setState(old => ({ key, data: old.key === key ? old.data : undefined, error: error.message })); });
  }, [key, seen, turn]);
  const fits = state.key === key || !!input && steady.has(name) && state.key.startsWith(name + "{");
  return {
    data: fits ? state.data : undefined, error: state.key === key ? state.error : undefined,
    again: () => setTurn(n => n + 1), set: change => setState(old => old.data === undefined ? old : { ...old, data: change(old.data) }),
  };
}

// steady are lists that stay on the screen until the answer to another question about them is there.
const steady = new Set(["answers", "worth", "facets", "remembered", "sessions"]);

// follow listens for changes of the store, as long as the page is open.
export function follow() {
  if (exported) return;
  const stream = new EventSource("api/stream");
  let timer = 0;
  stream.addEventListener("ready", () => { link.value = "live"; });
  stream.addEventListener("changed", () => {
    clearTimeout(timer);
    timer = window.setTimeout(() => { version.value++; }, 250);
  });
  stream.addEventListener("end", () => { stream.close(); link.value = "ended"; });
  stream.onerror = () => { if (link.value === "live") link.value = "lost"; };
}

// The address says where somebody is: #/memories?kind=rule. Going elsewhere is a step back in the browser's history.
export interface Route { page: string; params: Record<string, string> }

function read(): Route {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  return { page: path || "shown", params: Object.fromEntries(new URLSearchParams(query || "")) };
}
export const route = signal<Route>(read());
window.addEventListener("hashchange", () => { route.value = read(); });

export function href(page: string, params: Record<string, string | undefined> = {}): string {
  const kept = { project: route.value.params.project, ...params };
  const query = new URLSearchParams(Object.entries(kept).filter(([, v]) => v) as [string, string][]).toString();
  return "#/" + page + (query ? "?" + query : "");
}

// turn changes some of what the address says, and stays on the page. An undefined value goes.
export function turn(params: Record<string, string | undefined>, replace = false) {
  const address = href(route.value.page, { ...route.value.params, ...params });
  if (replace) { history.replaceState(null, "", address); route.value = read(); } else location.hash = address;
}
export function go(page: string, params: Record<string, string | undefined> = {}) { location.hash = href(page, params); }

// scope is the choice of a project as operations take it.
export function scope(): { project: string } | { all: true } {
  const project = route.value.params.project;
  return project ? { project } : { all: true };
}

// Toasts say what was done, and take it back.
export interface Toast { id: number; text: string; bad?: boolean; undo?: () => void; until: number }
export const toasts = signal<Toast[]>([]);
let count = 0;
export function toast(text: string, options: { bad?: boolean; undo?: () => void; seconds?: number; then?: () => void } = {}): Toast {
  const seconds = options.seconds || (options.bad ? 8 : 6);
  const t: Toast = { id: ++count, text, bad: options.bad, until: Date.now() + 1000 * seconds };
  const close = () => { toasts.value = toasts.value.filter(o => o.id !== t.id); };
  const timer = window.setTimeout(() => { close(); options.then?.(); }, 1000 * seconds);
  if (options.undo) t.undo = () => { clearTimeout(timer); close(); options.undo!(); };
  toasts.value = [...toasts.value.filter((o, i, all) => o.undo || i >= all.length - 3), t]; // what can be taken back stays
  return t;
}

export const keptForLater = "Kept. The store is busy: it will be there when the store is free.";

// act runs something that changes the memory and says what went wrong. While another process holds the store, what was asked for is kept and
// done later: there is nothing to show of it yet, and nothing to take back.
export async function act<T>(name: string, input: object, later?: () => void): Promise<T | undefined> {
  try {
    const out = await ask<T & { waiting?: boolean }>(name, input);
    if (out.waiting) {
      toast(keptForLater);
      later?.();
      return undefined;
    }
    version.value++;
    return out;
  } catch (e) {
    toast((e as Error).message, { bad: true });
    return undefined;
  }
}

// gone are memories that are about to be forgotten: they are not shown, and can be brought back for a while.
export const gone = signal<ReadonlySet<string>>(new Set());
const forgetting = new Map<string, () => void>();

// forget takes memories away for good, unless somebody takes that back within ten seconds. Leaving the page carries it out.
export function forget(ids: string[]) {
  if (exported) { readOnly(); return; }
  ids = ids.filter(id => !gone.value.has(id));
  if (ids.length === 0) return;
  gone.value = new Set([...gone.value, ...ids]);
  const key = ids.join(" ");
  const show = () => batch(() => { gone.value = new Set([...gone.value].filter(id => !ids.includes(id))); });
  const carryOut = async () => {
    if (!forgetting.delete(key)) return;
    await act("forget", { ids, apply: true });
    show();
  };
  forgetting.set(key, carryOut);
  toast(ids.length === 1 ? "Forgotten for good in 10 seconds." : `${ids.length} memories are forgotten for good in 10 seconds.`,
    { seconds: 10, then: carryOut, undo: () => { forgetting.delete(key); show(); } });
}
window.addEventListener("pagehide", () => { for (const carryOut of [...forgetting.values()]) carryOut(); });

export function readOnly() { toast("This is a copy that was exported: it cannot be changed. Run hebb ui.", { bad: true }); }
