import { FetchHttpClient, FileSystem, HttpBody, HttpClient, HttpClientRequest } from "@effect/platform"
import type { HttpMethod } from "@effect/platform/HttpMethod"
import { Effect, Layer, Logger, Option, Schema } from "effect"
import { firstStart } from "../../../src/effects/server/firstStart.ts"
import { app } from "../../../src/main/server/app.ts"
import { listen, type Patience } from "../../../src/main/server/nodeServer.ts"
import { start } from "../../../src/main/server/serve.ts"
import { ChangeSignal } from "../../../src/services/server/ChangeSignal.ts"
import { RateLimit } from "../../../src/services/server/RateLimit.ts"
import { SecureRandom } from "../../../src/services/server/SecureRandom.ts"
import { layer as sqlite } from "../../../src/services/server/ServerStoreSqlite.ts"
import { PullAnswer, PushAnswer } from "../../../src/services/sync/SyncApi.ts"

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly text: string
}

export interface Call {
  readonly body?: unknown
  /** Sent as it is, instead of JSON. */
  readonly raw?: string | Uint8Array
  /** The whole Authorization header; undefined: the owner's token; null: none. */
  readonly authorization?: string | null
}

/** A server on a free port over a new SQLite file, its owner's token, and all that was logged and answered. */
export const running = Effect.gen(function* () {
  const folder = yield* Effect.flatMap(FileSystem.FileSystem, (fs) => fs.makeTempDirectoryScoped())
  return yield* runningOn(`${folder}/data`)
})

export const runningOn = (data: string) =>
  Effect.gen(function* () {
    const logged: Array<string> = []
    const heard: Array<string> = []
    const logger = Logger.map(Logger.stringLogger, (line) => void logged.push(line))
    const server = yield* start({ data: Option.some(data), host: "127.0.0.1", port: 0 }).pipe(
      Effect.provide(Logger.replace(Logger.defaultLogger, logger))
    )
    const token = Option.getOrElse(server.ownerToken, () => "")
    const call = (method: HttpMethod, path: string, options: Call = {}) =>
      request(server.url, token, method, path, options).pipe(
        Effect.tap(({ headers, text }) => Effect.sync(() => heard.push(JSON.stringify(headers), text)))
      )
    const push = (repo: string, files: ReadonlyArray<unknown>, rest: object = {}) =>
      Effect.flatMap(call("POST", `/v1/repos/${repo}/sync/push`, { body: { files, ...rest } }), (answer) =>
        Effect.map(Schema.decode(Schema.parseJson(PushAnswer))(answer.text), (body) => ({
          status: answer.status,
          body
        }))
      )
    const pull = (repo: string, query = "") =>
      Effect.flatMap(call("GET", `/v1/repos/${repo}/sync/pull${query}`), ({ text }) =>
        Schema.decode(Schema.parseJson(PullAnswer))(text)
      )
    return { ...server, database: `${data}/server.db`, token, logged, heard, call, push, pull }
  })

export const request = (
  url: string,
  token: string,
  method: HttpMethod,
  path: string,
  { authorization, body, raw }: Call
) =>
  Effect.gen(function* () {
    const header = authorization === undefined ? `Bearer ${token}` : authorization
    const response = yield* HttpClientRequest.make(method)(`${url}${path}`).pipe(
      header === null ? (self) => self : HttpClientRequest.setHeader("authorization", header),
      HttpClientRequest.setBody(
        raw === undefined
          ? body === undefined
            ? HttpBody.empty
            : HttpBody.unsafeJson(body)
          : typeof raw === "string"
            ? HttpBody.text(raw)
            : HttpBody.uint8Array(raw)
      ),
      HttpClient.execute
    )
    const bytes = new Uint8Array(yield* response.arrayBuffer)
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)
    return { status: response.status, headers: response.headers, text } satisfies Answer
  }).pipe(Effect.scoped, Effect.provide(FetchHttpClient.layer))

/** A server of which the test holds the services, and says how long clients may take. Its repository is `team`. */
export const observed = (patience?: Patience) =>
  Effect.gen(function* () {
    const folder = yield* Effect.flatMap(FileSystem.FileSystem, (fs) => fs.makeTempDirectoryScoped())
    const logged: Array<string> = []
    const logger = Logger.map(Logger.stringLogger, (line) => void logged.push(line))
    const services = yield* Layer.build(
      Layer.mergeAll(sqlite(`${folder}/server.db`), SecureRandom.layer, ChangeSignal.layer, RateLimit.none)
    )
    const served = Layer.provide(app, Layer.succeedContext(services))
    const url = yield* listen(served, { host: "127.0.0.1", port: 0 }, patience).pipe(
      Effect.provide(Logger.replace(Logger.defaultLogger, logger))
    )
    const token = yield* Effect.flatten(Effect.provide(firstStart, services))
    yield* request(url, token, "POST", "/v1/repos/team", {})
    return { url, token, services, logged }
  })

export const json = (answer: Answer): unknown => JSON.parse(answer.text)
export const base64 = (text: string): string => Buffer.from(text).toString("base64")
