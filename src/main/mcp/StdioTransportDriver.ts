// @ts-types="@modelcontextprotocol/sdk/shared/transport"
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
// @ts-types="@modelcontextprotocol/sdk/types"
import { type JSONRPCMessage, JSONRPCMessageSchema } from "@modelcontextprotocol/sdk/types.js"
import { Deferred, Effect, FiberId, Option, Predicate } from "effect"
import type { Readable, Writable } from "node:stream"
import { idOf, type Line, lineReader } from "./lines.ts"

/**
 * MCP over a pair of Node streams, one JSON-RPC message a line.
 *
 * The SDK's own stdio transport closes for good at the first over-long line, does not notice the end of its input, and
 * waits for ever on an output whose reader is gone; so this one stands in its place (A26, A27).
 */
export interface StdioTransport extends Transport {
  /** Completes when the client is gone: its end of the input closed, or nobody reads the output any more. */
  readonly ended: Effect.Effect<void>
  /** Completes when everything that was sent is out of this process, or can no longer be. */
  readonly flushed: Effect.Effect<void>
}

/** The longest line that is read, in bytes. */
export const maxLine = 10 * 1024 * 1024

export const stdioTransport = (input: Readable, output: Writable, longest = maxLine): StdioTransport => {
  const ended = Deferred.unsafeMake<void>(FiberId.none)
  const end = () => Deferred.unsafeDone(ended, Effect.void)
  let writing: Promise<void> = Promise.resolve()

  const send = (message: JSONRPCMessage) => {
    const written = new Promise<void>((done) => {
      // The callback comes when the text is handed over, and with an error when it cannot be: both end the wait.
      if (output.writable) output.write(`${JSON.stringify(message)}\n`, () => done())
      else done()
    })
    writing = Promise.all([writing, written]).then(() => undefined)
    return written
  }

  const receive = (line: Line) => {
    if (line._tag === "TooLong") {
      const reason = `a line of more than ${longest} bytes was left unread; send less at once`
      return Option.match(line.id, {
        onNone: () => transport.onerror?.(new Error(reason)),
        onSome: (id) => void send({ jsonrpc: "2.0", id, error: { code: -32600, message: reason } })
      })
    }
    for (const value of Array.isArray(line.value) ? line.value : [line.value]) {
      const message = JSONRPCMessageSchema.safeParse(value)
      if (message.success) transport.onmessage?.(message.data)
      else refuse(value)
    }
  }

  const refuse = (value: unknown) =>
    Option.match(
      Option.filter(idOf(value), () => Predicate.hasProperty(value, "method")),
      {
        onNone: () => transport.onerror?.(new Error("a line was no JSON-RPC message, and was left out")),
        onSome: (id) => void send({ jsonrpc: "2.0", id, error: { code: -32600, message: "invalid request" } })
      }
    )

  const read = lineReader(longest, receive, (reason) => transport.onerror?.(new Error(reason)))

  const transport: StdioTransport = {
    ended: Deferred.await(ended),
    flushed: Effect.promise(() => writing),
    start: () => {
      input.on("data", read)
      input.once("end", end)
      input.once("close", end)
      input.once("error", end)
      output.once("error", end)
      output.once("close", end)
      return Promise.resolve()
    },
    send,
    close: () => {
      input.off("data", read)
      input.pause()
      end()
      transport.onclose?.()
      return Promise.resolve()
    }
  }
  return transport
}
