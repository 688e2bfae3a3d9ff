// Words for times, shares and kinds.

const minute = 60e3, hour = 60 * minute, day = 24 * hour;

// ago is a time as people say it: 5 min ago, in 3 months.
export function ago(text: string | undefined, now = Date.now()): string {
  if (!text) return "";
  const at = Date.parse(text), past = at <= now, span = Math.abs(now - at);
  let said: string;
  if (span < minute) return past ? "just now" : "in a moment";
  if (span < hour) said = `${Math.round(span / minute)} min`;
  else if (span < day) said = `${Math.round(span / hour)} h`;
  else if (span < 60 * day) said = span < 1.5 * day ? "1 day" : `${Math.round(span / day)} days`;
  else if (span < 700 * day) said = `${Math.round(span / (30.44 * day))} months`;
  else said = `${Math.round(span / (365.25 * day))} years`;
  return past ? said + " ago" : "in " + said;
}

// left is what is left of the life of a memory: 1 when it was last used or said, 0 when it fades.
export function left(m: { said_at: string; last_at: string; fades_at?: string }, now = Date.now()): number {
  if (!m.fades_at) return 1;
  const from = Math.max(Date.parse(m.said_at), Date.parse(m.last_at)), to = Date.parse(m.fades_at);
  return to <= from ? 0 : Math.max(0, Math.min(1, (to - now) / (to - from)));
}
export const fades = (text: string) => Date.parse(text) - Date.now() < day ? "soon" : ago(text);

const whole = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const dayOnly = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", year: "numeric" });
const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
export const full = (text?: string) => text ? whole.format(new Date(text)) : "";
export const date = (text?: string) => text ? dayOnly.format(new Date(text)) : "";
export const time = (text?: string) => text ? clock.format(new Date(text)) : "";

export function span(from: string, to: string): string {
  const ms = Date.parse(to) - Date.parse(from);
  if (ms < minute) return `${Math.max(0, Math.round(ms / 1000))} s`;
  if (ms < 100 * minute) return `${Math.round(ms / minute)} min`;
  return `${(ms / hour).toFixed(1)} h`;
}

export const percent = (share: number) => `${Math.round(100 * share)}\u00a0%`;
const grouping = new Intl.NumberFormat("en");
export const number = (n: number) => grouping.format(n).replaceAll(",", " ");
export const count = (n: number, one: string, many = one + "s") => `${number(n)} ${n === 1 ? one : many}`;

export const momentNames: Record<string, string> = {
  start: "session start", prompt: "prompt", edit: "before an edit", command: "before a command", error: "after an error", compact: "after compaction", subagent: "subagent",
};
export const originNames: Record<string, string> = { user: "you", agent: "an agent", team: "the team", repo: "the repository", tool: "hebb", web: "the web", import: "imported", file: "a file of an agent" };

// whose says whose words a memory is: what stands in a file of an agent names it, "Claude noted" or "CLAUDE.md".
export function whose(m: { origin: string; source?: string }): string {
  const parts = m.origin === "file" ? /^(.*) \((.*)\)$/.exec(m.source || "") : null;
  if (!parts) return originNames[m.origin] || m.origin;
  const by = /noted by ([^;]+)/.exec(parts[2]);
  return by ? by[1].charAt(0).toUpperCase() + by[1].slice(1).split("-")[0] + " noted" : parts[1];
}
export const agentNames: Record<string, string> = {
  "claude-code": "Claude Code", codex: "Codex", gemini: "Gemini", cursor: "Cursor", copilot: "Copilot", vscode: "VS Code", cline: "Cline", opencode: "OpenCode", kilo: "Kilo", openclaw: "OpenClaw", user: "you", git: "git",
};
export const agent = (name?: string) => name ? agentNames[name] || name : "";
export const kinds = ["rule", "decision", "preference", "correction", "fact", "goal", "lesson", "insight", "procedure", "skill", "episode", "task_pattern", "relationship"];
export const kind = (name: string) => name.replace("_", " ");

// Piece is a part of a text in a comparison: the same, taken out or put in.
export interface Piece { text: string; how: "same" | "out" | "in" }

// compare finds what changed between two texts, by words or by lines: the longest common sequence, in a table that is kept small by
// leaving out what is equal at both ends. Texts too different in size for that are shown as replaced.
export function compare(before: string, after: string, by: "words" | "lines"): Piece[] {
  const cut = (s: string) => by === "words" ? s.match(/\s+|[^\s]+/g) || [] : s.split(/(?<=\n)/);
  let a = cut(before), b = cut(after);
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const first = a.slice(0, head).join(""), last = tail ? a.slice(a.length - tail).join("") : "";
  a = a.slice(head, a.length - tail);
  b = b.slice(head, b.length - tail);
  const out: Piece[] = [];
  const add = (how: Piece["how"], text: string) => {
    const end = out[out.length - 1];
    if (!text) return;
    if (end && end.how === how) end.text += text; else out.push({ how, text });
  };
  add("same", first);
  if (a.length * b.length > 4e6) {
    add("out", a.join(""));
    add("in", b.join(""));
  } else {
    const width = b.length + 1, table = new Uint16Array((a.length + 1) * width);
    for (let i = a.length - 1; i >= 0; i--) for (let j = b.length - 1; j >= 0; j--)
      table[i * width + j] = a[i] === b[j] ? table[(i + 1) * width + j + 1] + 1 : Math.max(table[(i + 1) * width + j], table[i * width + j + 1]);
    let i = 0, j = 0;
    while (i < a.length || j < b.length) {
      if (i < a.length && j < b.length && a[i] === b[j]) { add("same", a[i++]); j++; }
      else if (i < a.length && (j === b.length || table[(i + 1) * width + j] >= table[i * width + j + 1])) add("out", a[i++]);
      else add("in", b[j++]);
    }
  }
  add("same", last);
  return out;
}
