import { Effect } from "effect"
import { createServer, request, type Server } from "node:http"

/** What becomes of a request: it passes, it lands and its answer is lost, or it never arrives. */
export type Fate = "passes" | "answer lost" | "request lost"

/** A proxy on loopback that loses what it is told to. */
export interface LossyProxy {
  readonly url: string
  /** Every push that came by, and what became of it. */
  readonly pushes: ReadonlyArray<Fate>
  /** What becomes of the next pushes, in order; after them, pushes pass. Everything else always passes. */
  readonly lose: (...fates: ReadonlyArray<Fate>) => void
}

/** In front of a server, until the scope ends. A lost answer has been read whole before the connection is cut. */
export const lossyProxy = Effect.fnUntraced(function* (to: string) {
  const pushes: Array<Fate> = []
  let plan: ReadonlyArray<Fate> = []
  const target = new URL(to)
  const server = createServer((incoming, outgoing) => {
    const isPush = incoming.url?.endsWith("/sync/push") ?? false
    const [next = "passes", ...rest] = isPush ? plan : []
    if (isPush) {
      plan = rest
      pushes.push(next)
    }
    if (next === "request lost") {
      incoming.socket.destroy()
      return
    }
    const options = { host: target.hostname, port: target.port, method: incoming.method, path: incoming.url }
    const forwarded = request({ ...options, headers: { ...incoming.headers, host: target.host } }, (answer) => {
      if (next === "answer lost") {
        answer.resume().on("end", () => incoming.socket.destroy())
      } else {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
      }
    })
    forwarded.on("error", () => incoming.socket.destroy())
    incoming.pipe(forwarded)
  })
  const listening = yield* Effect.acquireRelease(
    Effect.async<Server>((resume) => {
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (running) =>
      Effect.async<void>((resume) => {
        running.closeAllConnections()
        running.close(() => resume(Effect.void))
      })
  )
  const address = listening.address()
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`,
    pushes,
    lose: (...fates) => {
      plan = fates
    }
  } satisfies LossyProxy
})
