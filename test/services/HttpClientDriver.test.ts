import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { createServer } from "node:http"
import { connect } from "node:net"
import * as HttpClientDriver from "../../src/services/HttpClientDriver.ts"
import { SyncConnect } from "../../src/services/SyncConnect.ts"
import * as SyncConnectLive from "../../src/services/SyncConnectLive.ts"
import { withEnvironment } from "../support/place.ts"
import { answerJson, stubServer } from "../support/stubServer.ts"

/** A loopback proxy that notes whom it was asked to connect to. */
const proxy = Effect.acquireRelease(
  Effect.async<{ readonly url: string; readonly asked: Array<string>; readonly close: Effect.Effect<void> }>(
    (resume) => {
      const asked: Array<string> = []
      const server = createServer((request, response) => {
        asked.push(request.url ?? "")
        answerJson(response, 200, { id: "1", email: "e", name: "through the proxy" })
      })
      server.on("connect", ({ url }, socket) => {
        asked.push(url ?? "")
        const [host, port] = (url ?? "").split(":")
        const target = connect(Number(port), host, () => {
          socket.write("HTTP/1.1 200 Connection established\r\n\r\n")
          target.pipe(socket).pipe(target)
        })
        socket.on("error", () => target.destroy())
        target.on("error", () => socket.destroy())
      })
      const close = Effect.async<void>((done) => {
        server.closeAllConnections()
        server.close(() => done(Effect.void))
      })
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        const port = typeof address === "object" && address !== null ? address.port : 0
        resume(Effect.succeed({ url: `http://127.0.0.1:${port}`, asked, close }))
      })
    }
  ),
  ({ close }) => close
)

const ask = (serverUrl: string) =>
  Effect.flatMap(SyncConnect, (connect) => connect.to({ serverUrl, bearer: Redacted.make("ctxp_x") }).me).pipe(
    Effect.provide(SyncConnectLive.layer.pipe(Layer.provide(HttpClientDriver.layer)))
  )

describe("A38: proxy variables", () => {
  it.scopedLive("are honoured, NO_PROXY too, and leave nothing behind", () =>
    Effect.gen(function* () {
      const stub = yield* stubServer((response) => answerJson(response, 200, { id: "1", email: "e", name: "direct" }))
      const { asked, url } = yield* proxy
      const host = stub.url.replace("http://", "")
      yield* ask(stub.url).pipe(withEnvironment({ HTTP_PROXY: url }))
      expect(asked).toHaveLength(1)
      expect(asked[0]).toContain(host)
      for (const variables of [{ HTTP_PROXY: url, NO_PROXY: "127.0.0.1" }, {}, { NO_PROXY: "127.0.0.1" }]) {
        expect((yield* ask(stub.url).pipe(withEnvironment(variables))).name).toBe("direct")
      }
      expect(asked).toHaveLength(1)
    })
  )
})
