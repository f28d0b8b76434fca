import { NodeContext } from "@effect/platform-node"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber, Option, Redacted, TestClock } from "effect"
import { Drift } from "../../../src/effects/sync/Drift.ts"
import { PagePath } from "../../../src/model/page/PagePath.ts"
import { Sha } from "../../../src/model/page/Sha.ts"
import { Credentials } from "../../../src/services/sync/Credentials.ts"
import { ProjectConfig } from "../../../src/services/project/ProjectConfig.ts"
import { SyncState } from "../../../src/services/sync/SyncState.ts"
import { freshPlace, withEnvironment } from "../../support/place.ts"
import { answerJson, type Behaviour, stubServer } from "../../support/stubServer.ts"
import { open } from "../../support/team.ts"

const path = PagePath.make("wiki/concepts/retry.md")
const local = Sha.make("9f2c1ab".padEnd(40, "0"))
const server = Sha.make("4d7e0b3".padEnd(40, "0"))

const diff = {
  from_sha: local,
  to_sha: server,
  frontmatter: { changed: [{ field: "tags", from: "a", to: "b" }] },
  sections: [
    { heading: "## Current State", status: "modified" },
    { heading: "## Open Questions", status: "added" },
    { heading: "## Decision", status: "unchanged" }
  ]
}

/** A server that has a newer version. */
const ahead: Behaviour = (response, request) => {
  if (request.url.includes("/diff/")) return answerJson(response, 200, diff)
  response.writeHead(200, { "content-type": "text/markdown", "x-page-sha": server })
  response.end("text\n")
}

/** A clone that pulled the page at `local`, wired to a server that behaves so. */
const clone = Effect.fnUntraced(function* (behave: Behaviour, recorded = true) {
  const place = yield* freshPlace
  yield* place.makeFolder(".contexo")
  const stub = yield* stubServer(behave)
  const member = yield* open(place.folder)
  yield* member.as(
    Effect.gen(function* () {
      yield* (yield* ProjectConfig).update({ server_url: stub.url, repo_id: "demo" })
      yield* (yield* Credentials).write({ bearer: Redacted.make("ctxp_test"), serverUrl: stub.url })
      if (recorded) yield* (yield* SyncState).apply({ known: [{ path, base: { sha: local, text: "old\n" } }] })
    })
  )
  return { stub, member, check: member.as(Effect.flatMap(Drift, (drift) => drift.check(path))) }
})

describe("a page that moved on the server", () => {
  it.scoped("gives the notice, and asks the server once a minute at most", () =>
    Effect.gen(function* () {
      const { check, stub } = yield* clone(ahead)
      const notice = Option.getOrThrow(yield* check)
      expect(notice.render()).toContain(
        [
          "  your version:  9f2c1ab",
          "  server now:    4d7e0b3",
          "",
          "What changed:",
          "  ~ frontmatter changed",
          "  ~ ## Current State",
          "  + ## Open Questions"
        ].join("\n")
      )
      const asked = stub.received.length
      yield* check
      yield* TestClock.adjust("59 seconds")
      yield* check
      expect(stub.received).toHaveLength(asked)
      yield* TestClock.adjust("2 seconds")
      yield* check
      expect(stub.received.length).toBeGreaterThan(asked)
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scoped("in step, three reads are one request", () =>
    Effect.gen(function* () {
      const { check, stub } = yield* clone((response) => {
        response.writeHead(200, { "content-type": "text/markdown", "x-page-sha": local })
        response.end("old\n")
      })
      for (let n = 0; n < 3; n++) expect(Option.isNone(yield* check)).toBe(true)
      expect(stub.received).toHaveLength(1)
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scoped("A39: a clock set back an hour does not make an answer last", () =>
    Effect.gen(function* () {
      const { check, stub } = yield* clone(ahead)
      yield* TestClock.adjust("3 hours")
      yield* check
      const asked = stub.received.length
      yield* TestClock.setTime(0)
      yield* check
      expect(stub.received.length).toBeGreaterThan(asked)
    }).pipe(Effect.provide(NodeContext.layer))
  )
})

describe("every failure of the check is no notice", () => {
  const failures: Record<string, Behaviour> = {
    "401": (response) => answerJson(response, 401, { error: "invalid API key" }),
    "403": (response) => answerJson(response, 403, { error: "not a member of this repo" }),
    "404": (response) => answerJson(response, 404, { error: "not found" }),
    HTML: (response) => {
      response.writeHead(200, { "content-type": "text/html" })
      response.end("<html>Sign in</html>")
    },
    redirect: (response) => {
      response.writeHead(302, { location: "http://127.0.0.1:1/login" })
      response.end()
    },
    "no sha": (response) => {
      response.writeHead(200, { "content-type": "text/markdown" })
      response.end("text\n")
    },
    "malformed JSON": (response, request) => {
      if (!request.url.includes("/diff/")) return ahead(response, request, 0)
      response.writeHead(200, { "content-type": "application/json" })
      response.end('{"sections": [')
    },
    "a base the server does not know": (response, request) =>
      request.url.includes("/diff/") ? answerJson(response, 400, { error: "unknown sha" }) : ahead(response, request, 0)
  }

  it.scoped.each(Object.keys(failures))("%s", (name) =>
    Effect.gen(function* () {
      const { check, stub } = yield* clone(failures[name] ?? ahead)
      expect(Option.isNone(yield* check)).toBe(true)
      expect(stub.received.length).toBeGreaterThan(0)
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive.each(["503", "reset"])("%s, within the budget, retries included", (name) =>
    Effect.gen(function* () {
      const { check } = yield* clone((response) => {
        if (name === "reset") response.destroy()
        else answerJson(response, 503, { error: "busy" })
      })
      const [spent, notice] = yield* Effect.timed(check)
      expect(Option.isNone(notice)).toBe(true)
      expect(Number(spent.value._tag === "Nanos" ? spent.value.nanos / 1_000_000n : 0)).toBeLessThan(6_000)
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scoped("a silent server costs two seconds once, and is left alone for a while", () =>
    Effect.gen(function* () {
      const { check, stub } = yield* clone(() => undefined)
      const waiting = yield* Effect.fork(check)
      // The request is on its way when the clock moves.
      yield* Effect.promise(() => until(() => stub.received.length === 1))
      yield* TestClock.adjust("2 seconds")
      expect(Option.isNone(yield* Fiber.join(waiting))).toBe(true)
      expect(Option.isNone(yield* check)).toBe(true)
      expect(stub.received).toHaveLength(1)
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scoped("CONTEXO_DRIFT_DISABLE=1 asks nobody, and other values do not disable", () =>
    Effect.gen(function* () {
      const { check, stub } = yield* clone(ahead)
      expect(Option.isNone(yield* check.pipe(withEnvironment({ CONTEXO_DRIFT_DISABLE: "1" })))).toBe(true)
      expect(stub.received).toHaveLength(0)
      expect(Option.isSome(yield* check.pipe(withEnvironment({ CONTEXO_DRIFT_DISABLE: "true" })))).toBe(true)
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scoped("a page that was never pulled or pushed has nothing to drift from", () =>
    Effect.gen(function* () {
      const { check, stub } = yield* clone(ahead, false)
      expect(Option.isNone(yield* check)).toBe(true)
      expect(stub.received).toHaveLength(0)
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scoped("an unreadable state, and no server at all", () =>
    Effect.gen(function* () {
      const place = yield* freshPlace
      yield* place.write(".contexo/.sync/state.json", "{")
      const member = yield* open(place.folder)
      const check = member.as(Effect.flatMap(Drift, (drift) => drift.check(path)))
      expect(Option.isNone(yield* check)).toBe(true)
      yield* place.write(".contexo/.sync/state.json", JSON.stringify({ page_shas: { [path]: local } }))
      expect(Option.isNone(yield* check)).toBe(true)
    }).pipe(Effect.provide(NodeContext.layer))
  )
})

/** Lets I/O happen until something holds. */
const until = (holds: () => boolean): Promise<void> =>
  new Promise((resolve) => {
    const look = () => (holds() ? resolve() : setImmediate(look))
    look()
  })
