import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { createServer } from "node:http"
import { connect } from "node:net"
import * as HttpClientDriver from "../../../src/services/sync/HttpClientDriver.ts"
import { SyncConnect } from "../../../src/services/sync/SyncConnect.ts"
import * as SyncConnectLive from "../../../src/services/sync/SyncConnectLive.ts"
import { withEnvironment } from "../../support/place.ts"
import { answerJson, stubServer } from "../../support/stubServer.ts"

/** A loopback proxy that notes whom it was asked to connect to, and answers with a status: with 200 it connects. */
const proxyAnswering = (status: number) =>
  Effect.acquireRelease(
    Effect.async<{ readonly url: string; readonly asked: Array<string>; readonly close: Effect.Effect<void> }>(
      (resume) => {
        const asked: Array<string> = []
        const server = createServer((request, response) => {
          asked.push(request.url ?? "")
          answerJson(response, 200, { id: "1", email: "e", name: "through the proxy" })
        })
        server.on("connect", ({ url }, socket) => {
          asked.push(url ?? "")
          if (status !== 200) return void socket.end(`HTTP/1.1 ${status} No\r\n\r\n`)
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

const proxy = proxyAnswering(200)

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
  const userinfo = "ada:s3cret"
  const withPassword = (url: string) => url.replace("://", `://${userinfo}@`)

  it.scopedLive("that name no proxy are passed over, and never shown", () =>
    Effect.gen(function* () {
      const stub = yield* stubServer((response) => answerJson(response, 200, { id: "1", email: "e", name: "direct" }))
      for (const value of [`${userinfo}@127.0.0.1:1`, `http://${userinfo}@a b`, `ftp://${userinfo}@127.0.0.1:1`]) {
        expect((yield* ask(stub.url).pipe(withEnvironment({ HTTP_PROXY: value }))).name).toBe("direct")
        // Nobody listens there: the variable may be why.
        const failure = yield* Effect.flip(ask("http://127.0.0.1:1").pipe(withEnvironment({ HTTP_PROXY: value })))
        expect(failure).toMatchObject({ _tag: "ServerUnreachable" })
        expect(failure.message).toMatch(/HTTP_PROXY is set, but .* http:\/\/.*Check 'ctx status'/)
        expect(failure.message).not.toContain("s3cret")
      }
    })
  )

  it.scopedLive("are named when the proxy refuses, or is not there, with what to do", () =>
    Effect.gen(function* () {
      const hint = (address: string) =>
        `HTTP_PROXY names the proxy ${address}: correct it if that is wrong, or name ctx.invalid in NO_PROXY`
      const told = (url: string) =>
        Effect.map(
          Effect.flip(ask("http://ctx.invalid").pipe(withEnvironment({ HTTP_PROXY: withPassword(url) }))),
          ({ message }) => message
        )
      const [wanting, refusing] = [yield* proxyAnswering(407), yield* proxyAnswering(403)]
      expect(yield* told(wanting.url)).toBe(
        `http://ctx.invalid/v1/me did not answer (the proxy answered 407, it wants a name and a password; ${hint(wanting.url)}). Check 'ctx status', or work on: nothing was changed here.`
      )
      expect(yield* told(refusing.url)).toContain(`(the proxy answered 403; ${hint(refusing.url)})`)
      expect(yield* told("http://127.0.0.1:1")).toContain(`; ${hint("http://127.0.0.1:1")})`)
    })
  )
})
