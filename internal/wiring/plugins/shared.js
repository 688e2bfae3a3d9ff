// hebb's memory for @AGENT@. Written by `hebb agents install @AGENT@`, removed by `hebb agents uninstall @AGENT@`; edits are lost.
// It tells hebb what happens and adds what hebb has to say to a prompt or to the result of a tool. It never blocks, changes or stops
// anything else.
import { spawn } from "node:child_process"

const agent = "@AGENT@"
const program = @PROGRAM@
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
