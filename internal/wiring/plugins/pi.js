
const acting = new Set(["edit", "write", "bash"]) // tools that change files or run commands

export default function (pi) {
  const answers = [] // what hebb has said and the model has not read yet
  let said // by the agent, in a turn whose end is not told yet

  // on adds a handler, with a function that tells its event. It never fails: the work goes on without a memory.
  function on(type, handle) {
    pi.on(type, async (event, { cwd, mode, sessionManager }) => {
      const send = (more) => tell({ event: { type, ...more }, ctx: { cwd, mode, sessionId: sessionManager.getSessionId() } })
      try {
        return await handle(event, send, sessionManager)
      } catch {}
    })
  }

  // end tells that a turn is over. Versions before 0.80 do not say when: it is over when the next one begins.
  function end(send) {
    if (said === undefined) return
    send({ type: "agent_settled", text: said })
    said = undefined
    dropTurn(answers)
  }

  on("session_start", ({ reason }, send, session) => {
    if (reason === "reload") return // the conversation goes on
    const resumed = session.getBranch().some(({ message }) => message?.role === "user") // pi --continue says startup
    answers.push({ said: send({ reason: resumed ? "resume" : reason }) })
  })
  on("before_agent_start", async ({ messageType = "user", prompt }, send) => {
    end(send)
    if (messageType === "user") answers.push({ said: send({ prompt }), turn: true })
    const content = await due(answers)
    return content ? { message: { customType: "hebb", content, display: false } } : undefined
  })
  on("tool_call", ({ toolName, toolCallId, input }, send) => {
    if (acting.has(toolName)) answers.push({ said: send({ toolName, toolCallId, input }), turn: true })
  })
  on("tool_result", async ({ toolName, toolCallId, input, content, isError }, send) => {
    const texts = content.filter(({ type }) => type === "text")
    const answer = send({ toolName, toolCallId, input, content: texts, isError })
    if (isError) answers.push({ said: answer, turn: true })
    const text = await due(answers)
    return text ? { content: [...content, { type: "text", text }] } : undefined
  })
  on("session_before_compact", (_, send) => void send())
  on("session_compact", ({ compactionEntry }, send) => {
    send({ compactionEntry: { summary: compactionEntry?.summary } })
    answers.push({ said: send({ type: "session_start", reason: "compact" }) })
  })
  on("agent_end", ({ messages }) => {
    said = lastSaid(messages) ?? ""
  })
  on("agent_settled", (_, send) => end(send))
  on("session_shutdown", async ({ reason }, send) => {
    end(send)
    if (reason !== "reload") await soon(send({ reason }))
  })
}
