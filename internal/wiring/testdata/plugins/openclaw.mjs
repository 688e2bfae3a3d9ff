// One session of OpenClaw: what its plugin is told, in the shapes of its documents.
import plugin from "./plugin.mjs"

const handlers = {}
plugin.register({ on: (name, handler) => (handlers[name] = handler) })
const context = { agentId: "main", sessionId: "ses_1", sessionKey: "agent:main:main", workspaceDir: "/home/dev/proj", runId: "run_1" }

await handlers.session_start({ sessionId: "ses_1" }, context)
const answer = await handlers.before_agent_start({ prompt: "fix the login", messages: [] }, context)
await handlers.after_tool_call({ toolName: "read", toolCallId: "call_1", params: { path: "main.go" }, result: { content: [{ type: "text", text: "package main" }] } }, context)
await handlers.after_tool_call({ toolName: "read", toolCallId: "call_2", params: { path: "no.go" }, error: "no such file" }, context)
await handlers.before_compaction({}, context)
await handlers.after_compaction({}, context)
await handlers.agent_end({ messages: [{ role: "user", content: "hi" }, { role: "assistant", content: [{ type: "text", text: "Done." }] }] }, context)
const next = await handlers.before_agent_start({ prompt: "go on", messages: [] }, context)
await handlers.session_end({ sessionId: "ses_1", reason: "reset" }, context)
console.log(JSON.stringify([answer.prependContext, next.prependContext]))
