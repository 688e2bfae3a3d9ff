// One session of OpenCode: what its plugin is told, in the shapes that were recorded from 1.18.33.
import { Hebb } from "./plugin.mjs"

const sessionID = "ses_1"
const hooks = await Hebb({ directory: "/home/dev/proj", worktree: "/home/dev/proj" })
const event = (type, properties) => hooks.event({ event: { id: "evt_1", type, properties } })
const tool = (status, rest) => ({ id: "prt_2", messageID: "msg_2", sessionID, type: "tool", tool: "read", callID: "call_2", state: { status, ...rest } })

await event("session.created", { sessionID, info: { id: sessionID, directory: "/home/dev/proj" } })
const output = { message: { id: "msg_1", role: "user", sessionID }, parts: [{ type: "text", text: "fix the login", id: "prt_1", sessionID, messageID: "msg_1" }] }
await hooks["chat.message"]({ sessionID }, output)
await event("message.part.updated", { sessionID, part: output.parts[0] })
const call = async (tool, callID, args, result) => {
  await hooks["tool.execute.before"]({ tool, sessionID, callID }, { args })
  await hooks["tool.execute.after"]({ tool, sessionID, callID, args }, result)
  return result.output
}
const edited = await call("edit", "call_1", { filePath: "/home/dev/proj/main.go", oldString: "a", newString: "b" }, { title: "main.go", output: "Edit applied", metadata: { diff: "…" } })
const looked = await call("grep", "call_3", { pattern: "x" }, { title: "x", output: "No files found", metadata: {} })
await event("message.part.updated", { sessionID, part: tool("pending", { input: {} }) })
await event("message.part.updated", { sessionID, part: tool("error", { input: { filePath: "/home/dev/proj/no.go" }, error: "File not found" }) })
await event("message.part.updated", { sessionID, part: tool("error", { input: { filePath: "/home/dev/proj/no.go" }, error: "File not found" }) })
const failed = await call("bash", "call_4", { command: "make", description: "Build" }, { title: "Build", output: "no rule", metadata: { exit: 2 } })
await event("message.part.updated", { sessionID, part: { id: "prt_3", messageID: "msg_2", sessionID, type: "text", text: "Done." } })
await event("session.idle", { sessionID })
await event("something.new", {})
await event("session.compacted", { sessionID })
await hooks["experimental.session.compacting"]({ sessionID }, { context: [] })
await hooks.dispose()
console.log(JSON.stringify([output.parts.at(-1).text, edited, looked, failed]))
