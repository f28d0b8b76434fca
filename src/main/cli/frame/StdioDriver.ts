import { Effect, Layer } from "effect"
import process from "node:process"
import { createInterface } from "node:readline"
import { Writable } from "node:stream"
import { Stdio } from "./Stdio.ts"

/** The process's own standard streams. */
export const layer = Layer.sync(Stdio, () => {
  quietOnClosedPipe(process.stdout)
  quietOnClosedPipe(process.stderr)
  return {
    stdinIsTty: process.stdin.isTTY === true,
    stdoutIsTty: process.stdout.isTTY === true,
    stderrIsTty: process.stderr.isTTY === true,
    out: (text) => write(process.stdout, text),
    err: (text) => write(process.stderr, text),
    input: Effect.promise(async () => {
      const chunks: Array<Uint8Array> = []
      for await (const chunk of process.stdin) chunks.push(typeof chunk === "string" ? Buffer.from(chunk) : chunk)
      return Buffer.concat(chunks)
    }),
    ask,
    askSecret: (question) => Effect.zipLeft(askSilently(question), write(process.stderr, "\n"))
  }
})

const ask = (question: string) =>
  Effect.async<string>((resume) => {
    const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: false })
    lines.question(question, (answer) => {
      resume(Effect.succeed(answer))
      lines.close()
    })
    lines.once("close", () => resume(Effect.succeed("")))
    return Effect.sync(() => lines.close())
  })

/** The terminal stops echoing before the question is on screen: an answer pasted at once is not shown either. */
const askSilently = (question: string) =>
  Effect.async<string>((resume) => {
    const lines = createInterface({ input: process.stdin, output: silence(), terminal: true })
    lines.once("line", (answer) => {
      resume(Effect.succeed(answer))
      lines.close()
    })
    lines.once("close", () => resume(Effect.succeed("")))
    process.stderr.write(question)
    return Effect.sync(() => lines.close())
  })

/** Where the echo of a secret goes. */
const silence = () => new Writable({ write: (_chunk, _encoding, done) => done() })

const write = (stream: NodeJS.WriteStream, text: string | Uint8Array) =>
  Effect.async<void>((resume) => {
    if (text.length === 0) resume(Effect.void)
    else stream.write(text, () => resume(Effect.void))
  })

/** Whoever reads us may stop at any time (`ctx log | head -1`): that is not our failure (A27). A full disk is. */
const quietOnClosedPipe = (stream: NodeJS.WriteStream) =>
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0)
    if (stream === process.stdout) process.stderr.write(`Error: cannot write the answer (${error.code})\n`)
    process.exit(1)
  })
