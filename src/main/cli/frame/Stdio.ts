import { Context, type Effect } from "effect"

/** The terminal or pipes that a command talks through. stdout carries the document and nothing else. */
export class Stdio extends Context.Tag("ctx-mcp/cli/Stdio")<
  Stdio,
  {
    readonly stdinIsTty: boolean
    readonly stdoutIsTty: boolean
    readonly stderrIsTty: boolean
    /** Completes when the text is out of this process. */
    readonly out: (text: string | Uint8Array) => Effect.Effect<void>
    readonly err: (text: string) => Effect.Effect<void>
    /** Everything on stdin, to its end. */
    readonly input: Effect.Effect<Uint8Array>
    /** One line from the person at the terminal; the question goes to stderr. Empty at the end of the input. */
    readonly ask: (question: string) => Effect.Effect<string>
    /** The same, and what is typed is not shown. */
    readonly askSecret: (question: string) => Effect.Effect<string>
  }
>() {}
