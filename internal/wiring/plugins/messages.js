
// lastSaid is what the agent said last.
function lastSaid(messages) {
  const last = (messages ?? []).filter((message) => message?.role === "assistant").at(-1)?.content
  if (typeof last === "string") return last
  return (last ?? []).map((part) => part?.text ?? "").join("") || undefined
}
