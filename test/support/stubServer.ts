import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http"
import { Effect } from "effect"

export interface Received {
  readonly method: string
  /** Path and query, as they came over the wire. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface Stub {
  readonly url: string
  /** Every request so far, oldest first. */
  readonly received: Array<Received>
}

/** What the stub does with the n-th request (from 0). It may answer in full, in part, or never. */
export type Behaviour = (response: ServerResponse, request: Received, n: number) => void

/** A real HTTP server on a free loopback port, gone at the end of the scope with every connection that it has. */
export const stubServer = (behave: Behaviour) =>
  Effect.acquireRelease(
    Effect.async<Stub & { readonly close: Effect.Effect<void> }>((resume) => {
      const received: Array<Received> = []
      const server = createServer((request, response) => {
        const parts: Array<Buffer> = []
        request.on("data", (part: Buffer) => parts.push(part))
        request.on("end", () => {
          const one: Received = {
            method: request.method ?? "",
            url: request.url ?? "",
            headers: request.headers,
            body: Buffer.concat(parts).toString("utf8")
          }
          received.push(one)
          behave(response, one, received.length - 1)
        })
      })
      const close = Effect.async<void>((done) => {
        server.closeAllConnections()
        server.close(() => done(Effect.void))
      })
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        const port = typeof address === "object" && address !== null ? address.port : 0
        resume(Effect.succeed({ url: `http://127.0.0.1:${port}`, received, close }))
      })
    }),
    ({ close }) => close
  )

/** Answers JSON. */
export const answerJson = (
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Record<string, string> = {}
) => {
  response.writeHead(status, { "content-type": "application/json; charset=utf-8", ...headers })
  response.end(JSON.stringify(value))
}
