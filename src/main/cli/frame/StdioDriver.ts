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
    ask: (question) => ask(question, process.stderr, false),
    askSecret: (question) =>
      Effect.zipRight(
        write(process.stderr, question),
        Effect.zipLeft(ask("", silence(), true), write(process.stderr, "\n"))
      )
  }
})

const ask = (question: string, output: NodeJS.WritableStream, terminal: boolean) =>
  Effect.async<string>((resume) => {
    const lines = createInterface({ input: process.stdin, output, terminal })
    lines.question(question, (answer) => {
      resume(Effect.succeed(answer))
      lines.close()
    })
    lines.once("close", () => resume(Effect.succeed("")))
    return Effect.sync(() => lines.close())
  })

/** Where the echo of a secret goes. */
const silence = () => new Writable({ write: (_chunk, _encoding, done) => done() })

const write = (stream: NodeJS.WriteStream, text: string) =>
  Effect.async<void>((resume) => {
    if (text === "") resume(Effect.void)
    else stream.write(text, () => resume(Effect.void))
  })

/** Whoever reads us may stop at any time (`ctx log | head -1`): that is not our failure (A27). A full disk is. */
const quietOnClosedPipe = (stream: NodeJS.WriteStream) =>
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0)
    if (stream === process.stdout) process.stderr.write(`Error: cannot write the answer (${error.code})\n`)
    process.exit(1)
  })
