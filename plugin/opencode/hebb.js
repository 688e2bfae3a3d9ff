// hebb's memory for opencode. Written by `hebb agents install opencode`, removed by `hebb agents uninstall opencode`; edits are lost.
// It tells hebb what happens and adds what hebb has to say to a prompt or to the result of a tool. It never blocks, changes or stops
// anything else.
import { spawn } from "node:child_process"

const agent = "opencode"
const program = "hebb"
const patience = 3000 // milliseconds that a prompt or a result waits at most for answers; hebb needs a few
const limit = 5000 // milliseconds after which a hebb that hangs is ended
let last = Promise.resolve("") // events are told one after the other, in the order in which they happen

// tell hands one event to hebb and promises the text that hebb answers, or "".
function tell(event) {
  return (last = last.then(() => hand(JSON.stringify({ agent, ...event }))))
}

function hand(line) {
  return new Promise((resolve) => {
    let answer = ""
    try {
      const child = spawn(program, ["hook", agent], { stdio: ["pipe", "pipe", "ignore"], timeout: limit, windowsHide: true })
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
    const { context } = JSON.parse(answer)
    return typeof context === "string" ? context : ""
  } catch {
    return "" // most events have no answer
  }
}

// soon waits for a promise for a limited time; undefined where that is over.
function soon(promise) {
  let timer
  const late = new Promise((resolve) => (timer = setTimeout(resolve, patience)))
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

// due takes out of a list of answers what the model has not read yet. An answer that comes late stays for the next time.
async function due(answers) {
  const taken = answers.splice(0)
  const texts = await Promise.all(taken.map(({ said }) => soon(said)))
  answers.unshift(...taken.filter((_, i) => texts[i] === undefined))
  return texts.filter(Boolean).join("\n\n")
}

// dropTurn takes out of a list of answers those that were about the turn that is over.
function dropTurn(answers) {
  answers.push(...answers.splice(0).filter(({ turn }) => !turn))
}

const acting = new Set(["edit", "multiedit", "write", "patch", "apply_patch", "bash"]) // tools that change files or run commands

export const Hebb = async ({ directory }) => {
  const sessions = new Map()

  // sessionOf is what is known of a session: for which other it works, how it began, what was said last.
  function sessionOf(id) {
    if (!sessions.has(id)) sessions.set(id, { source: "resume", mine: new Set(), failed: new Set(), owed: [] })
    return sessions.get(id)
  }

  function send(hook, id, input, rest) {
    return tell({ hook, directory, parent: sessions.get(id)?.parent, input: { sessionID: id, ...input }, ...rest })
  }

  // begin tells once that a session has begun, or goes on after a compaction.
  function begin(id, session) {
    if (session.begun) return
    session.begun = true
    session.owed.push({ said: send("session.created", id, {}, { source: session.source }) })
  }

  const handlers = {
    "session.created": ({ info }) => {
      const session = sessionOf(info.id)
      session.source = undefined
      if (info.parentID) session.parent = sessionOf(info.parentID).parent ?? info.parentID
    },
    "session.compacted": ({ sessionID }) => {
      const session = sessionOf(sessionID)
      send("session.compacted", sessionID, {}, {})
      session.begun = false
      session.source = "compact"
      begin(sessionID, session)
    },
    "session.idle": ({ sessionID }) => {
      const session = sessionOf(sessionID)
      send("session.idle", sessionID, {}, { text: session.said })
      session.said = undefined
      dropTurn(session.owed)
    },
    "session.deleted": ({ info }) => sessions.delete(info?.id),
    "message.part.updated": ({ part }) => {
      const session = sessionOf(part.sessionID)
      if (part.type === "text" && !part.synthetic && !session.mine.has(part.messageID)) session.said = part.text
      if (part.type !== "tool" || part.state?.status !== "error" || session.failed.has(part.callID)) return
      session.failed.add(part.callID)
      const { tool, callID, state } = part
      const said = send("tool.execute.error", part.sessionID, { tool, callID, args: state.input }, { error: String(state.error ?? "") })
      session.owed.push({ said, turn: true })
    },
  }

  return {
    event: async ({ event }) => {
      try {
        await handlers[event.type]?.(event.properties)
      } catch {} // an event of another shape is nothing to us
    },
    "chat.message": async (_, output) => {
      try {
        const { id: messageID, sessionID } = output.message
        const session = sessionOf(sessionID)
        session.mine.add(messageID)
        begin(sessionID, session)
        const written = output.parts.filter((part) => part.type === "text" && !part.synthetic).map(({ text }) => ({ text }))
        session.owed.push({ said: send("chat.message", sessionID, {}, { output: { message: { id: messageID }, parts: written } }), turn: true })
        const text = await due(session.owed)
        if (text) output.parts.push({ id: `prt_zzz${messageID.slice(4)}`, sessionID, messageID, type: "text", text, synthetic: true })
      } catch {} // the prompt goes on without a memory
    },
    "tool.execute.before": async ({ tool, sessionID, callID }, output) => {
      if (!acting.has(tool)) return
      const { filePath, command, patchText } = output?.args ?? {}
      const said = send("tool.execute.before", sessionID, { tool, callID }, { output: { args: { filePath, command, patchText } } })
      sessionOf(sessionID).owed.push({ said, turn: true }) // OpenCode has no way to show it before the call: it goes with the result
    },
    "tool.execute.after": async ({ tool, sessionID, callID, args }, output) => {
      const { output: text, content, metadata } = output ?? {}
      const said = send("tool.execute.after", sessionID, { tool, callID, args }, { output: { output: text, content, metadata: { exit: metadata?.exit } } })
      const session = sessionOf(sessionID)
      if (metadata?.exit) session.owed.push({ said, turn: true })
      if (typeof text !== "string" || session.owed.length === 0) return
      const more = await due(session.owed)
      if (more) output.output = `${text}\n\n${more}`
    },
    "experimental.session.compacting": async ({ sessionID }) => {
      send("experimental.session.compacting", sessionID, {}, {})
    },
    dispose: async () => {
      for (const [id, session] of sessions) if (session.begun && !session.parent) send("dispose", id, {}, {})
      await soon(last)
    },
  }
}
