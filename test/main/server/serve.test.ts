import { type ClientRequest, createServer, request } from "node:http"
import { connect } from "node:net"
import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { describe, expect, layer } from "@effect/vitest"
import { ConfigProvider, Duration, Effect, Exit, Fiber, Option, Scope } from "effect"
import { defaultDataFolder } from "../../../src/main/server/dataFolder.ts"
import { type ServeOptions, start } from "../../../src/main/server/serve.ts"
import { json, runningOn } from "./running.ts"

const temporary = Effect.flatMap(FileSystem.FileSystem, (fs) => fs.makeTempDirectoryScoped())
const options = (data: string, more: Partial<ServeOptions> = {}): ServeOptions => ({
  data: Option.some(data),
  host: "127.0.0.1",
  port: 0,
  ...more
})

/** What a start says; the server is stopped then. */
const started = (given: ServeOptions) => Effect.scoped(start(given))

describe("ctx serve", () => {
  layer(NodeContext.layer, { excludeTestServices: true })((it) => {
    it.scoped("the first start tells url, data and the owner's token; later ones no token", () =>
      Effect.gen(function* () {
        const data = `${yield* temporary}/deep/er/data`
        const first = yield* started(options(data))
        expect(first).toMatchObject({ url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/), data })
        expect(Option.getOrThrow(first.ownerToken)).toMatch(/^ctxp_[A-Za-z0-9_-]{32}$/)
        expect(yield* started(options(data))).toMatchObject({ data, ownerToken: Option.none() })
      })
    )

    it.scoped("the data folder is 0700 and the database 0600, also where an older one was open to others", () =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const data = `${yield* temporary}/data`
        const mode = (path: string) => Effect.map(fs.stat(path), (info) => info.mode & 0o777)
        yield* started(options(data))
        expect([yield* mode(data), yield* mode(`${data}/server.db`)]).toEqual([0o700, 0o600])
        yield* fs.chmod(`${data}/server.db`, 0o644)
        yield* Effect.scoped(
          Effect.gen(function* () {
            yield* start(options(data))
            for (const file of yield* fs.readDirectory(data))
              expect([file, yield* mode(`${data}/${file}`)]).toEqual([file, 0o600])
          })
        )
      })
    )

    it.scoped(
      "a port in use, a folder that cannot be made, an unreadable or newer database: one sentence, no token lost",
      () =>
        Effect.gen(function* () {
          const fs = yield* FileSystem.FileSystem
          const folder = yield* temporary
          const reason = (given: ServeOptions) => Effect.map(Effect.flip(started(given)), ({ message }) => message)

          const port = yield* takenPort
          expect(yield* reason(options(`${folder}/data`, { port }))).toBe(
            `ctx serve: port ${port} on 127.0.0.1 is in use. Stop what listens there, or choose another with --port (0: any free one).`
          )
          expect(Option.isSome((yield* started(options(`${folder}/data`))).ownerToken)).toBe(true)

          yield* fs.writeFileString(`${folder}/file`, "")
          expect(yield* reason(options(`${folder}/file/data`))).toMatch(/cannot use the data folder .*--data/)
          yield* fs.makeDirectory(`${folder}/bad`)
          yield* fs.writeFileString(`${folder}/bad/server.db`, "no database ".repeat(100))
          expect(yield* reason(options(`${folder}/bad`))).toContain(`${folder}/bad/server.db`)
          expect(yield* fs.readFileString(`${folder}/bad/server.db`)).toBe("no database ".repeat(100))
          expect(yield* reason(options(`${folder}/data`, { host: "192.0.2.1" }))).toContain("192.0.2.1")
        })
    )

    it.effect("the data folder follows XDG_DATA_HOME, where it is absolute, else HOME", () =>
      Effect.gen(function* () {
        const within = (...pairs: ReadonlyArray<readonly [string, string]>) =>
          Effect.withConfigProvider(defaultDataFolder, ConfigProvider.fromMap(new Map(pairs)))
        const home = ["HOME", "/home/ana"] as const
        expect(yield* within(home, ["XDG_DATA_HOME", "/data"])).toBe("/data/ctx-mcp")
        expect(yield* within(home, ["XDG_DATA_HOME", "data"])).toBe("/home/ana/.local/share/ctx-mcp")
        expect(yield* within(home)).toBe("/home/ana/.local/share/ctx-mcp")
        expect((yield* Effect.flip(within())).message).toContain("--data")
      })
    )

    it.scoped("stopping answers the request in hand, closes idle connections at once, and keeps what landed", () =>
      Effect.gen(function* () {
        const data = `${yield* temporary}/data`
        const scope = yield* Scope.make()
        const { call, token, url } = yield* Scope.extend(runningOn(data), scope)
        yield* call("GET", "/health")
        const sent = yield* begun(`${url}/v1/repos/team/sync/push`, token)
        const stopping = yield* Effect.fork(Effect.timed(Scope.close(scope, Exit.void)))
        yield* Effect.repeat(accepts(url), { while: (open) => open })
        const body = JSON.stringify({ files: [{ path: "wiki/concepts/a.md", content: "x" }] })
        expect(yield* statusOf(sent, body)).toBe(200)
        const [took] = yield* Fiber.join(stopping)
        expect(Duration.toSeconds(took)).toBeLessThan(4)
        const again = yield* runningOn(data)
        const pages = yield* again.call("GET", "/v1/repos/team/pages", { authorization: `Bearer ${token}` })
        expect(json(pages)).toMatchObject({ pages: [{ path: "wiki/concepts/a.md" }] })
      })
    )
  })
})

const takenPort = Effect.map(
  Effect.acquireRelease(
    Effect.async<ReturnType<typeof createServer>>((resume) => {
      const server = createServer()
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) => Effect.async<void>((resume) => void server.close(() => resume(Effect.void)))
  ),
  (server) => {
    const address = server.address()
    return typeof address === "object" && address !== null ? address.port : 0
  }
)

/** A push of which the server has read the head, and nothing else yet. */
const begun = (url: string, token: string) =>
  Effect.async<ClientRequest, Error>((resume) => {
    const headers = { authorization: `Bearer ${token}`, expect: "100-continue" }
    const sent = request(url, { method: "POST", headers })
    sent.on("error", (error) => resume(Effect.fail(error)))
    sent.on("continue", () => resume(Effect.succeed(sent)))
    sent.flushHeaders()
  })

const statusOf = (sent: ClientRequest, body: string) =>
  Effect.async<number | undefined>((resume) => {
    sent.on("response", (response) => {
      response.resume()
      resume(Effect.succeed(response.statusCode))
    })
    sent.end(body)
  })

/** Whether the server still takes connections. */
const accepts = (url: string) =>
  Effect.async<boolean>((resume) => {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    socket.on("connect", () => {
      socket.destroy()
      resume(Effect.succeed(true))
    })
    socket.on("error", () => resume(Effect.succeed(false)))
  })
