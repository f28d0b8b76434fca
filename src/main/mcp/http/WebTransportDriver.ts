// @ts-types="@modelcontextprotocol/sdk/server/webStandardStreamableHttp"
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js"
// @ts-types="@modelcontextprotocol/sdk/shared/transport"
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import { Effect } from "effect"

/** One client's Streamable HTTP transport. The SDK does the session header, protocol version, SSE and `Accept`. */
export interface WebTransport {
  readonly transport: Transport
  readonly handle: (request: Request, body: unknown) => Effect.Effect<Response>
  readonly close: Effect.Effect<void>
}

/** @param onDone the client has said that it is done */
export const webTransport = (sessionId: string, onDone: () => void): WebTransport => {
  const sdk = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => sessionId,
    onsessionclosed: onDone
  })
  return {
    transport: sdk,
    handle: (request, parsedBody) =>
      Effect.promise(() => sdk.handleRequest(request, parsedBody === undefined ? {} : { parsedBody })),
    close: Effect.promise(() => sdk.close())
  }
}
