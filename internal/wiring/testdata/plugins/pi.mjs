// Sessions of Pi: what its extension is told, in the shapes that were recorded from 0.87.1 and 1.5.2.
import extension from "./plugin.mjs"

const handlers = {}
extension({ on: (type, handler) => (handlers[type] = handler) })
const context = { cwd: "/home/dev/proj", mode: "tui", sessionManager: { getSessionId: () => "ses_1", getBranch: () => [{ type: "model_change" }] } }
const happens = (type, event) => handlers[type]({ type, ...event }, context)
const text = (text) => ({ type: "text", text })
const call = async (toolName, toolCallId, input, content, isError) => {
  const verdict = await happens("tool_call", { toolName, toolCallId, input })
  const result = await happens("tool_result", { toolName, toolCallId, input, content, isError })
  return [verdict ?? "none", (result?.content ?? content).map(({ type, text }) => text ?? type).join("+")]
}

await happens("session_start", { reason: "startup" })
const first = await happens("before_agent_start", { messageType: "user", prompt: "fix the login", systemPrompt: "…" })
const shown = [
  [first.message.customType, first.message.content, first.message.display],
  await call("read", "call_1", { path: "main.go" }, [text("package main"), { type: "image", data: "…", mimeType: "image/png" }], false),
  await call("edit", "call_2", { path: "main.go", edits: [{ oldText: "a", newText: "b" }] }, [text("Successfully replaced 1 block(s)")], false),
  await call("bash", "call_3", { command: "make" }, [text("no rule\n\nCommand exited with code 2")], true),
]
await happens("session_before_compact", { preparation: {} })
await happens("session_compact", { compactionEntry: { summary: "so far" } })
await happens("agent_end", { messages: [{ role: "user", content: "hi" }, { role: "assistant", content: [text("On it.")] }] })
await happens("agent_end", { messages: [{ role: "assistant", content: [{ type: "thinking", thinking: "…" }, text("Done.")] }] }) // the turn went on
await happens("agent_settled", {})
shown.push((await happens("before_agent_start", { messageType: "custom", prompt: "a notice" })).message.content)
await happens("agent_end", { messages: [{ role: "assistant", content: "Old versions say no more." }] })
shown.push((await happens("before_agent_start", { prompt: "go on" })).message.content)
await happens("session_shutdown", { reason: "reload" })
await happens("session_start", { reason: "reload" })
await happens("tool_result", {}) // of another shape
await happens("session_shutdown", { reason: "quit" })
console.log(JSON.stringify(shown))
