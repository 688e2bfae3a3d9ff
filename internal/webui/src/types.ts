// What the operations behind the page return, as far as the page reads it. The names are those of the JSON.

export interface Project { id: string; name: string }
export interface Facets { projects: Project[]; agents: string[]; first?: string }

export type Verdict = "right" | "wrong" | "outdated" | "never";

export interface Line {
  id: string; offer: string; path?: string; memory?: string; name: string; text?: string; from?: string; reason: string; confidence: number;
  tokens: number; held?: boolean; outcome?: string; said_again?: boolean; verdict?: Verdict; project: string; shown_at: string;
}
export interface Answer {
  id: string; at: string; moment: string; project: string; project_name: string; session: string; agent: string; prompt?: string;
  tokens: number; held?: boolean; lines: Line[];
}
export interface WorthRow { moment?: string; lines: number; tokens: number; judged: number; right: number }
export interface Count { count: number; at?: string; reason?: string }
export interface Worth extends WorthRow { moments: WorthRow[]; withheld: WorthRow; late?: Count; lost?: Count }

export interface Anchor { path: string; symbol?: string; at_hand?: boolean }
export interface Memory {
  id: string; project?: string; kind: string; text: string; lifecycle: string; origin: string; source?: string; session?: string; heard?: number;
  anchors?: Anchor[]; said_at: string; valid_to?: string; last_at: string; accesses: number; unsure?: boolean;
  state?: string;
  project_name?: string; agent?: string; sure: number; strength: number; fades_at?: string; pin?: string; verdict?: Verdict;
}
export interface Trace { at: string; what: string; detail?: string }
export interface MemoryPage extends Memory {
  why: { prompt?: string; from: Memory[]; since: Memory[]; traces: Trace[] };
  shown: { id: string; shown_at: string; moment: string; session: string }[] | null;
}
export interface Remembered { total: number; rows: Memory[] }

export interface Session {
  id: string; project: string; agent: string; opened_at: string; last_event_at: string; closed_at?: string; close_reason?: string; intent?: string; events: number;
  happened?: string; learned?: string; next?: string;
}
export interface StateText { id: number; at: string; by: string; text: string; refused?: string }
export interface States { now: string; kept: StateText[]; due: { run: boolean; why: string }; notes: number }

export interface Evidence { kind: string; at: string; text: string; why: string }
export interface Recalled { path: string; confidence: number; reason: string; tokens: number; evidence?: Evidence[]; parts?: { term: string; meaning: string; share: number }[] }
export interface Tried {
  shown: { text?: string; lines?: { path?: string; memory?: string; tokens: number }[] }; agent: string; tokens: number; budget: number; most_files: number; silent?: string;
  files: Recalled[]; fixes: Recalled[]; file_gate: number; memories: (Memory & { probability: number })[]; memory_gate: number;
}
export interface FilePage {
  path: string; state?: { accesses: number; first_at: string; last_at: string; links: number; myelin: number; standing: number };
  companions: { path: string; weight: number; sessions: number; commits: number; last_at: string }[];
  errors: { text: string; times: number; last_at: string }[]; memories: Memory[];
}
export interface Finding { name: string; level: "ok" | "warn" | "fail"; detail: string; fix?: string }
