import { FileSystem, HttpApiBuilder, type HttpRouter } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { describe, expect, layer } from "@effect/vitest"
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import { Chunk, Context, Effect, Layer, Schema } from "effect"
import { version } from "../../../src/main/Build.ts"
import { handlers } from "../../../src/main/server/handlers.ts"
import { type Document, openApiDocument, openApiText, type Operation } from "../../../src/main/server/openapi.ts"
import { ChangeSignal } from "../../../src/services/server/ChangeSignal.ts"
import { RateLimit } from "../../../src/services/server/RateLimit.ts"
import { SecureRandom } from "../../../src/services/server/SecureRandom.ts"
import { layer as sqlite } from "../../../src/services/server/ServerStoreSqlite.ts"
import { type Answer, type Call, running } from "./running.ts"

interface Exchange {
  readonly method: string
  readonly path: string
  readonly body: unknown
  readonly answer: Answer
}

const operations = (document: Document) =>
  Object.entries(document.paths).flatMap(([template, item]) =>
    Object.entries(item).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${template}`, operation }))
  )

/** Whether a request is for a documented path. A page's path keeps its slashes. */
const matches = (name: string, method: string, path: string): boolean => {
  const [of, template = ""] = name.split(" ")
  const pattern = template.replaceAll("{path}", ".+").replaceAll(/\{\w+\}/g, "[^/]+")
  return of === method && new RegExp(`^${pattern}$`).test(path.split("?")[0] ?? "")
}

/** The document's schemas, with nothing allowed in an answer that they do not name. */
const validators = () => {
  const closed: unknown = JSON.parse(
    openApiText().replaceAll('"additionalProperties":true', '"additionalProperties":false')
  )
  const ajv = new Ajv2020({ strict: true, allErrors: true, formats: { binary: true } })
  ajv.addVocabulary(["openapi", "info", "paths", "components", "security", "tags"])
  ajv.addSchema(typeof closed === "object" && closed !== null ? closed : {}, "api")
  const known = new Map<string, ValidateFunction>()
  return (...at: ReadonlyArray<string>): ValidateFunction => {
    const pointer = at.map((step) => encodeURIComponent(step.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/")
    const validate = known.get(pointer) ?? ajv.compile({ $ref: `api#/${pointer}` })
    known.set(pointer, validate)
    return validate
  }
}

/** What contradicts the document in an exchange. */
const contradictions = (document: Document) => {
  const validator = validators()
  return ({ answer, body, method, path }: Exchange): ReadonlyArray<string> => {
    const found = operations(document).find(({ name }) => matches(name, method, path))
    if (found === undefined) return [`${method} ${path} is not documented`]
    const [of = "", template = ""] = found.name.split(" ")
    const at = ["paths", template, of.toLowerCase()]
    const what = `${found.name} ${answer.status}`
    const response = found.operation.responses[answer.status]
    if (response === undefined) return [`${what} is not documented: ${answer.text}`]
    const [mime] = Object.keys(response.content ?? {})
    if (mime !== answer.headers["content-type"]) return [`${what}: ${answer.headers["content-type"]}, not ${mime}`]
    const problems: Array<string> = []
    const check = (validate: ValidateFunction, value: unknown, name: string) => {
      if (!validate(value)) problems.push(`${what}, ${name}: ${JSON.stringify(validate.errors)}`)
    }
    if (mime === "application/json" && path !== "/openapi.json") {
      check(
        validator(...at, "responses", String(answer.status), "content", mime, "schema"),
        JSON.parse(answer.text),
        "body"
      )
    }
    if (body !== undefined && answer.status < 400) {
      check(validator(...at, "requestBody", "content", "application/json", "schema"), body, "request")
    }
    return problems
  }
}

const path = "wiki/concepts/auth.md"
const page = (content: string, parent_sha?: string) => ({ path, content, parent_sha })

/** Calls every operation, well and wrongly, and tells all that was said. */
const scenario = Effect.gen(function* () {
  const { call } = yield* running
  const said: Array<Exchange> = []
  const ask = (method: "GET" | "POST" | "PATCH" | "DELETE", at: string, options: Call = {}) =>
    Effect.tap(call(method, at, options), (answer) =>
      Effect.sync(() => said.push({ method, path: at, body: options.body, answer }))
    )
  const head = (answer: Answer) =>
    Effect.map(
      Schema.decode(Schema.parseJson(Schema.Struct({ new_head: Schema.String })))(answer.text),
      (is) => is.new_head
    )
  const push = (body: unknown) => ask("POST", "/v1/repos/team/sync/push", { body })

  yield* ask("GET", "/health", { authorization: null })
  yield* ask("GET", "/openapi.json", { authorization: null })
  yield* ask("GET", "/v1/me")
  yield* ask("GET", "/v1/me", { authorization: "Bearer wrong" })
  yield* ask("PATCH", "/v1/me", { body: { name: "Ana", email: "ana@example.com" } })
  yield* ask("PATCH", "/v1/me", { body: { email: "nobody" } })
  const created = yield* ask("POST", "/v1/pats", { body: { label: "laptop" } })
  yield* ask("POST", "/v1/pats", { raw: "{" })
  yield* ask("GET", "/v1/pats")
  const { pat } = yield* Schema.decode(Schema.parseJson(Schema.Struct({ pat: Schema.Struct({ id: Schema.String }) })))(
    created.text
  )
  yield* ask("DELETE", `/v1/pats/${pat.id}`)
  yield* ask("DELETE", `/v1/pats/${pat.id}`)
  yield* ask("GET", "/v1/repos")
  for (const id of ["team", "team", "?"]) yield* ask("POST", "/v1/repos", { body: { id } })
  yield* ask("POST", "/v1/repos/team")
  yield* ask("POST", "/v1/repos/a.b")
  const one = yield* head(
    yield* push({ push_id: "push-0001", message: "first", files: [page("---\ntags: [a]\n---\n## A\n\none\n")] })
  )
  yield* push({ files: [page("other")] })
  yield* push({ files: [{ path: "../x", content: "" }] })
  const two = yield* head(
    yield* push({ author_name: "x", files: [page("---\ntags: [b]\n---\nlead\n\n## B\n\none\n", one)] })
  )
  yield* push({ files: [page("stale", one), { path: "wiki/concepts/Auth.md", content: "twin" }] })
  yield* ask("POST", "/v1/repos/team/sync/push", { raw: "x".repeat(8 * 1024 * 1024 + 1) })
  const below = [
    "pages",
    `pages/${path}`,
    "timeline?limit=1",
    `diff/${path}`,
    `diff/${path}?blame=true`,
    `pages/${path}?at=${one}`,
    `history/${path}?limit=1`,
    `history/${path}?cursor=x`,
    `evolution/${path}?blame=true`,
    `evolution/${path}?lines=false&limit=1`,
    "sync/pull",
    `sync/pull?since=${one}`,
    "changes?since=0",
    "changes"
  ]
  for (const repo of ["team", "none", "a.b"]) for (const at of below) yield* ask("GET", `/v1/repos/${repo}/${at}`)
  yield* ask("POST", `/v1/repos/team/revert/${path}`, { body: { to: one, parent_sha: two } })
  yield* ask("POST", `/v1/repos/team/revert/${path}`, { body: { to: one, parent_sha: one } })
  yield* ask("POST", `/v1/repos/team/revert/${path}`, { body: { to: "none" } })
  yield* ask("POST", `/v1/repos/none/revert/${path}`, { body: { to: one } })
  yield* ask("POST", `/v1/repos/team/purge/${path}`, { body: { keep_current: true, reason: "a token" } })
  yield* ask("POST", `/v1/repos/team/purge/${path}`, { raw: "{" })
  yield* ask("POST", `/v1/repos/none/purge/${path}`, { body: {} })
  yield* ask("POST", `/v1/repos/team/revert/${path}`, { body: { to: two, parent_sha: one } })
  for (const at of [`pages/${path}?at=${two}`, `diff/${path}?from=${two}`, `history/${path}`, `evolution/${path}`]) {
    yield* ask("GET", `/v1/repos/team/${at}`)
  }
  yield* ask("GET", "/v1/repos/team/pages/wiki/concepts/none.md")
  yield* ask("GET", "/v1/repos/team/pages/wiki%2Fconcepts%2Fauth.md")
  yield* ask("GET", `/v1/repos/team/diff/${path}?from=${one}&to=${two}`)
  yield* ask("GET", "/v1/repos/team/timeline?limit=0")
  yield* push({ files: [{ path, deleted: true, parent_sha: two }] })
  const foreign = "f".repeat(40)
  for (const at of ["sync/pull", "changes"]) yield* ask("GET", `/v1/repos/team/${at}?since=${foreign}`)
  yield* ask("GET", `/v1/repos/team/sync/pull?since=${one}`)
  yield* ask("GET", "/v1/repos/team/changes?since=0")
  yield* ask("GET", "/v1/repos")
  return said
})

describe("the OpenAPI document", () => {
  layer(NodeContext.layer, { excludeTestServices: true })((it) => {
    it.scoped("is served, without a token, as it is derived", () =>
      Effect.gen(function* () {
        const { call } = yield* running
        const answer = yield* call("GET", "/openapi.json", { authorization: null })
        const document: unknown = JSON.parse(answer.text)
        expect(document).toEqual(JSON.parse(openApiText()))
        expect(document).toMatchObject({
          openapi: "3.1.0",
          info: { title: "ctx sync server", version },
          components: { securitySchemes: { bearer: { type: "http", scheme: "bearer" } } }
        })
      })
    )

    it.scoped("documents every route that is served, and no other", () =>
      Effect.gen(function* () {
        const folder = yield* Effect.flatMap(FileSystem.FileSystem, (fs) => fs.makeTempDirectoryScoped())
        const services = Layer.mergeAll(
          sqlite(`${folder}/server.db`),
          SecureRandom.layer,
          ChangeSignal.layer,
          RateLimit.none
        )
        const context = yield* Layer.build(
          handlers.pipe(Layer.provideMerge(HttpApiBuilder.Router.Live), Layer.provide(services))
        )
        const { routes } = yield* Context.get(context, HttpApiBuilder.Router).router
        const served = Chunk.toArray(routes).map(({ method, path: at }: HttpRouter.Route<unknown, unknown>) => {
          const template = at.replaceAll(/:(\w+)/g, "{$1}").replace("*", "{path}")
          return `${method} ${template}`
        })
        expect(
          operations(openApiDocument())
            .map(({ name }) => name)
            .toSorted()
        ).toEqual(served.toSorted())
      })
    )

    it.scoped("is sound: parameters are those of the path, ids are unique, each refusal is the error body", () =>
      Effect.sync(() => {
        const all = operations(openApiDocument())
        expect(new Set(all.map(({ operation }) => operation.operationId)).size).toBe(all.length)
        const open = new Set(["GET /health", "GET /openapi.json"])
        for (const { name, operation } of all) {
          const inPath = operation.parameters.filter((parameter) => parameter.in === "path")
          expect([name, inPath.map((parameter) => parameter.name).toSorted()]).toEqual([
            name,
            [...name.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter).toSorted()
          ])
          expect(operation.summary).toMatch(/\w/)
          expect([name, operation.security]).toEqual([name, open.has(name) ? [] : [{ bearer: [] }]])
          expect(statuses(operation).includes(413)).toBe(operation.requestBody !== undefined)
          expect(statuses(operation).includes(415)).toBe(operation.requestBody !== undefined)
          expect(statuses(operation).includes(429)).toBe(name !== "GET /health")
        }
      })
    )

    it.scoped("tells the truth: whatever a scenario of every operation sends and gets is as documented", () =>
      Effect.gen(function* () {
        const document = openApiDocument()
        const said = yield* scenario
        expect(said.flatMap(contradictions(document))).toEqual([])
        // Nothing went unheard: every operation succeeded somewhere.
        const succeeded = said.filter(({ answer }) => answer.status < 400)
        const unheard = operations(document).filter(
          ({ name }) => !succeeded.some((one) => matches(name, one.method, one.path))
        )
        expect(unheard).toEqual([])
        // Nor does the check let everything pass.
        const me = said.find((one) => one.path === "/v1/me" && one.answer.status === 200)
        const forged = ['{"id":1}', '{"id":"1","email":"e","name":"n","more":1}'].map((text) => ({
          ...me,
          answer: { status: 200, headers: { "content-type": "application/json" }, text }
        }))
        for (const one of forged) {
          expect(contradictions(document)({ method: "GET", path: "/v1/me", body: undefined, ...one })).toHaveLength(1)
        }
      })
    )
  })
})

const statuses = ({ responses }: Operation): ReadonlyArray<number> => Object.keys(responses).map(Number)
