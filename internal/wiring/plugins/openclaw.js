// hebb's memory for OpenClaw. Written by `hebb agents install openclaw`, removed by `hebb agents uninstall openclaw`; edits are lost.
// It tells hebb what happens and adds what hebb has to say to a prompt. It never blocks, changes or stops anything else.
import { spawn } from "node:child_process"

const program = @PROGRAM@
const patience = 3000 // milliseconds that a prompt waits at most for the answers to the session start and to itself; hebb needs a few
const limit = 5000 // milliseconds after which a hebb that hangs is ended
const greetings = new Map() // what hebb said to the start of a session, until its first prompt
let last = Promise.resolve("") // events are told one after the other, in the order in which they happen

// tell hands one event to hebb and promises the text that hebb answers, or "".
function tell(hook, event, context, rest) {
  const { sessionId, sessionKey, workspaceDir, runId } = context ?? {}
  const whole = { agent: "openclaw", hook, event, context: { sessionId, sessionKey, workspaceDir, runId }, ...rest }
  return (last = last.then(() => hand(JSON.stringify(whole))))
}

function hand(line) {
  return new Promise((resolve) => {
    let answer = ""
    try {
      const child = spawn(program, ["hook", "openclaw"], { stdio: ["pipe", "pipe", "ignore"], timeout: limit, windowsHide: true })
      child.on("error", () => resolve(""))
      child.on("close", () => resolve(textOf(answer)))
      child.stdout.setEncoding("utf8")
      child.stdout.on("data", (piece) => (answer += piece))
      child.stdin.on("error", () => {})
      child.stdin.end(line)
    } catch {
      resolve("")
    }
  })
}

function textOf(answer) {
  try {
    const { prependContext } = JSON.parse(answer)
    return typeof prependContext === "string" ? prependContext : ""
  } catch {
    return "" // most events have no answer
  }
}

// soon waits for a promise for a limited time.
function soon(promise) {
  let timer
  const late = new Promise((resolve) => (timer = setTimeout(resolve, patience, "")))
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

// lastSaid is what the agent said last.
function lastSaid(messages) {
  const last = (messages ?? []).filter((message) => message?.role === "assistant").at(-1)?.content
  if (typeof last === "string") return last
  return (last ?? []).map((part) => part?.text ?? "").join("") || undefined
}

export default {
  id: "hebb",
  name: "hebb",
  description: "A memory that learns from what the agent touches",
  register(api) {
    api.on("session_start", async ({ sessionId, resumedFrom }, context) => {
      const id = sessionId ?? context?.sessionId
      greetings.set(id, tell("session_start", { sessionId: id, resumedFrom }, context))
    })
    api.on("before_agent_start", async ({ prompt, runId }, context) => {
      const asked = tell("before_agent_start", { prompt }, { ...context, runId: context?.runId ?? runId })
      const [greeting, answer] = await Promise.all([soon(greetings.get(context?.sessionId)), soon(asked)])
      if (greeting) greetings.delete(context?.sessionId) // one that comes late is for the next prompt
      const text = [greeting, answer].filter(Boolean).join("\n\n")
      return text ? { prependContext: text } : undefined
    })
    api.on("after_tool_call", async ({ toolName, toolCallId, params, result, error }, context) => {
      tell("after_tool_call", { toolName, toolCallId, params, result, error }, context)
    })
    api.on("before_compaction", async (_, context) => void tell("before_compaction", {}, context))
    api.on("after_compaction", async (_, context) => {
      tell("after_compaction", {}, context)
      const sessionId = context?.sessionId
      greetings.set(sessionId, tell("session_start", { sessionId, source: "compact" }, context))
    })
    api.on("agent_end", async ({ messages }, context) => void tell("agent_end", {}, context, { text: lastSaid(messages) }))
    api.on("session_end", async ({ sessionId, reason }, context) => {
      greetings.delete(sessionId)
      await soon(tell("session_end", { sessionId, reason }, context))
    })
  },
}
