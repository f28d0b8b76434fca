import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { Data, Effect, Schema } from "effect"

export class DemoFailure extends Data.TaggedError("DemoFailure")<{ readonly message: string }> {}

const Answer = Schema.Struct({
  content: Schema.Array(Schema.Struct({ type: Schema.Literal("text"), text: Schema.String })),
  isError: Schema.optional(Schema.Boolean)
})

/** One agent: a real `ctx-mcp` process in a project, driven through the official MCP client. */
export interface Agent {
  readonly name: string
  readonly call: (tool: string, args?: Record<string, unknown>) => Effect.Effect<string, DemoFailure>
  readonly read: (uri: string) => Effect.Effect<string, DemoFailure>
}

const failed = (what: string) => (cause: unknown) => new DemoFailure({ message: `${what}: ${String(cause)}` })

/** Starts the agent's server and shakes hands; both end with the scope. */
export const startAgent = Effect.fn("startAgent")(function* (name: string, root: string, bin: string) {
  const transport = new StdioClientTransport({ command: process.execPath, args: [bin], cwd: root, stderr: "inherit" })
  const client = new Client({ name: `demo-${name}`, version: "1.0.0" })
  yield* Effect.acquireRelease(
    Effect.tryPromise({ try: () => client.connect(transport), catch: failed(`${name}: handshake`) }),
    () => Effect.promise(() => client.close())
  )
  const call: Agent["call"] = (tool, args = {}) =>
    Effect.tryPromise({
      try: () => client.callTool({ name: tool, arguments: args }),
      catch: failed(`${name}: ${tool}`)
    }).pipe(
      Effect.flatMap((answer) => Effect.mapError(Schema.decodeUnknown(Answer)(answer), failed(`${name}: ${tool}`))),
      Effect.flatMap(({ content, isError }) => {
        const text = content.map((block) => block.text).join("\n")
        return isError === true
          ? Effect.fail(new DemoFailure({ message: `${name}: ${tool}: ${text}` }))
          : Effect.succeed(text)
      })
    )
  const read: Agent["read"] = (uri) =>
    Effect.tryPromise({ try: () => client.readResource({ uri }), catch: failed(`${name}: ${uri}`) }).pipe(
      Effect.map(({ contents }) => contents.map((part) => ("text" in part ? String(part.text) : "")).join("\n"))
    )
  return { name, call, read } satisfies Agent
})
