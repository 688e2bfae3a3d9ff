
const sessions = new Map() // what hebb has said to each and its model has not read yet

function owed(id) {
  if (!sessions.has(id)) sessions.set(id, [])
  return sessions.get(id)
}

function send(hook, event, context, rest) {
  const { sessionId, sessionKey, workspaceDir, runId } = context ?? {}
  return tell({ hook, event, context: { sessionId, sessionKey, workspaceDir, runId }, ...rest })
}

export default {
  id: "hebb",
  name: "hebb",
  description: "A memory that learns from what the agent touches",
  register(api) {
    api.on("session_start", async ({ sessionId, resumedFrom }, context) => {
      const id = sessionId ?? context?.sessionId
      owed(id).push({ said: send("session_start", { sessionId: id, resumedFrom }, context) })
    })
    api.on("before_agent_start", async ({ prompt, runId }, context) => {
      const answers = owed(context?.sessionId)
      answers.push({ said: send("before_agent_start", { prompt }, { ...context, runId: context?.runId ?? runId }), turn: true })
      const text = await due(answers)
      return text ? { prependContext: text } : undefined
    })
    api.on("after_tool_call", async ({ toolName, toolCallId, params, result, error }, context) => {
      send("after_tool_call", { toolName, toolCallId, params, result, error }, context)
    })
    api.on("before_compaction", async (_, context) => void send("before_compaction", {}, context))
    api.on("after_compaction", async (_, context) => {
      send("after_compaction", {}, context)
      const sessionId = context?.sessionId
      owed(sessionId).push({ said: send("session_start", { sessionId, source: "compact" }, context) })
    })
    api.on("agent_end", async ({ messages }, context) => {
      send("agent_end", {}, context, { text: lastSaid(messages) })
      dropTurn(owed(context?.sessionId))
    })
    api.on("session_end", async ({ sessionId, reason }, context) => {
      sessions.delete(sessionId)
      await soon(send("session_end", { sessionId, reason }, context))
    })
  },
}
