import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import { pull } from "../../../src/effects/sync/pull.ts"
import { push } from "../../../src/effects/sync/Push.ts"
import { localStatus } from "../../../src/effects/sync/status.ts"
import { writePage } from "../../../src/effects/page/writePage.ts"
import { pullJson, pullText } from "../../../src/main/render/pull.ts"
import { Credentials } from "../../../src/services/sync/Credentials.ts"
import { ProjectConfig } from "../../../src/services/project/ProjectConfig.ts"
import { freshPlace, type Place } from "../../support/place.ts"
import { answerJson, type Behaviour, stubServer } from "../../support/stubServer.ts"
import { open } from "../../support/team.ts"

const sha = "b".repeat(40)

/** A clone wired to a server that behaves so. */
const clone = Effect.fnUntraced(function* (behave: Behaviour, place: Place) {
  yield* place.makeFolder("project/.contexo")
  const stub = yield* stubServer(behave)
  const member = yield* open(place.at("project"))
  yield* member.as(
    Effect.gen(function* () {
      yield* (yield* ProjectConfig).update({ server_url: stub.url, repo_id: "demo" })
      yield* (yield* Credentials).write({ bearer: Redacted.make("ctxp_planted"), serverUrl: stub.url })
    })
  )
  return member
})

const page = (text: string) =>
  `---\nschema: ctx.page.v1\nslug: a\ntype: concept\nauthor: x\ncreated: 2026-07-01T00:00:00Z\nupdated: 2026-07-01T00:00:00Z\nparent_sha: ""\n---\n${text}`

/** A server that hands out these files, whatever they are called. */
const handsOut =
  (files: ReadonlyArray<{ readonly path: string; readonly content: string }>): Behaviour =>
  (response, request) => {
    if (request.url.includes("/sync/pull")) {
      return answerJson(response, 200, { new_head: sha, files: files.map((file) => ({ ...file, sha })) })
    }
    return answerJson(response, 200, {
      pages: files.map(({ path }) => ({
        path,
        sha,
        author: "x",
        email: "x@x",
        time: "2026-07-01T00:00:00Z",
        message: "m"
      }))
    })
  }

describe("A13: a server that names what is not a page", () => {
  const names = [
    "../x",
    "../../x.md",
    "config.json",
    "credentials.json",
    "index.md",
    ".sync/state.json",
    "wiki/concepts/../../../x.md",
    "wiki/concepts/a/b.md",
    "wiki/concepts/..%2f..%2fx.md",
    "wiki\\concepts\\x.md",
    "/etc/x.md",
    "C:\\x.md",
    "wiki/concepts/\u202egnp.md",
    "wiki/concepts/cafe\u0301.md",
    "raw/sessions/_pending/../x.md",
    "wiki/concepts/.hidden.md",
    "wiki/concepts/x.md\n## forged",
    ""
  ]

  it.scoped("writes nothing outside the page folders, names each, and takes the good page beside them", () =>
    Effect.gen(function* () {
      const place = yield* freshPlace
      const good = { path: "wiki/concepts/good.md", content: page("## A\n") }
      const member = yield* clone(handsOut([...names.map((path) => ({ path, content: page("x") })), good]), place)
      const config = yield* place.read("project/.contexo/config.json")
      const outcome = yield* member.as(pull({}))
      expect(outcome._tag === "Pulled" && outcome.pulled).toEqual(["wiki/concepts/good.md"])
      expect(outcome.kept).toHaveLength(names.length)
      expect(pullText(outcome).split("\n")).toHaveLength(1 + names.length)
      expect(pullText(outcome)).not.toContain("\u202e")
      expect(yield* place.read("project/.contexo/config.json")).toBe(config)
      const files = (yield* place.everything).filter((file) => file.endsWith(".md"))
      expect(files).toEqual([
        "project/.contexo/index.md",
        "project/.contexo/tags.md",
        "project/.contexo/wiki/concepts/good.md"
      ])
    }).pipe(Effect.provide(NodeContext.layer))
  )
})

describe("pages that a server sends", () => {
  it.scoped("are written without the characters that hide things, a NUL is refused, and the others come in", () =>
    Effect.gen(function* () {
      const place = yield* freshPlace
      const member = yield* clone(
        handsOut([
          { path: "wiki/concepts/escape.md", content: page("a\u001b[31mred\u001b[0m\u202eb\u200bc\n") },
          { path: "wiki/concepts/nul.md", content: page("a\0b") },
          { path: "wiki/concepts/plain.md", content: page("plain\n") }
        ]),
        place
      )
      const outcome = yield* member.as(pull({}))
      expect(pullJson(outcome)).toMatchObject({
        pulled: ["wiki/concepts/escape.md", "wiki/concepts/plain.md"],
        kept: [{ path: "wiki/concepts/nul.md", reason: "the server's text holds a NUL character" }]
      })
      expect(yield* place.read("project/.contexo/wiki/concepts/escape.md")).toContain("aredbc\n")
      // What was written is the base: nothing differs, nothing travels back.
      expect((yield* member.as(push({}, {}))).outcome._tag).toBe("NothingToPush")
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scoped("A14: never go through a symbolic link that leads out", () =>
    Effect.gen(function* () {
      const place = yield* freshPlace
      yield* place.makeFolder("outside")
      yield* place.makeFolder("project/.contexo/wiki")
      yield* place.link(place.at("outside"), "project/.contexo/wiki/concepts")
      const member = yield* clone(
        handsOut([
          { path: "wiki/concepts/x.md", content: page("x") },
          { path: "wiki/entities/y.md", content: page("y") }
        ]),
        place
      )
      const failure = yield* Effect.either(member.as(pull({})))
      expect(JSON.stringify(failure)).toMatch(/leads out|LeavesStore/)
      const written = yield* Effect.flip(member.as(writePage({ slug: "x", type: "concept", body: "x" })))
      expect(written._tag).toBe("LeavesStore")
      const fs = yield* FileSystem.FileSystem
      expect(yield* fs.readDirectory(place.at("outside"))).toEqual([])
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scoped("A39: stamps from a clock ten years ahead or behind decide nothing", () =>
    Effect.gen(function* () {
      const place = yield* freshPlace
      const future = page("## A\n").replace("updated: 2026", "updated: 2036")
      const member = yield* clone(handsOut([{ path: "wiki/concepts/a.md", content: future }]), place)
      yield* member.as(pull({}))
      yield* member.as(writePage({ slug: "a", type: "concept", body: "## A\n\nEdited later, on a slower clock.\n" }))
      expect((yield* member.as(pull({})))._tag).toBe("UpToDate")
      expect(yield* place.read("project/.contexo/wiki/concepts/a.md")).toContain("Edited later")
    }).pipe(Effect.provide(NodeContext.layer))
  )
})

describe("A37: answers that are not the API's", () => {
  const answers: Record<string, Behaviour> = {
    "200 HTML": (response) => {
      response.writeHead(200, { "content-type": "text/html" })
      response.end("<html>Sign in</html>")
    },
    "302 to a login page": (response) => {
      response.writeHead(302, { location: "https://login.example/" })
      response.end()
    },
    "an empty body": (response) => {
      response.writeHead(200, { "content-type": "application/json" })
      response.end()
    },
    "another JSON": (response) => answerJson(response, 200, { hello: "world" }),
    "a sha that is none": (response) =>
      answerJson(response, 200, { new_head: "x", files: [{ path: "a", content: "", sha: "--output=/tmp/x" }] })
  }

  it.scoped.each(Object.keys(answers))("%s fails by name, and changes nothing", (name) =>
    Effect.gen(function* () {
      const place = yield* freshPlace
      const member = yield* clone(answers[name] ?? handsOut([]), place)
      yield* member.as(writePage({ slug: "mine", type: "concept", body: "## Mine\n" }))
      const before = yield* place.everything
      const failures = [yield* Effect.flip(member.as(pull({}))), yield* Effect.flip(member.as(push({}, {})))]
      for (const failure of failures) {
        expect(failure._tag).toBe("UnexpectedAnswer")
        expect(failure.message).not.toContain("ctxp_planted")
      }
      expect((yield* place.everything).filter((file) => file.endsWith(".md"))).toEqual(
        before.filter((file) => file.endsWith(".md"))
      )
      const status = yield* member.as(localStatus())
      expect(Option.isNone(status.lastPull)).toBe(true)
      expect(status.neverPushed).toHaveLength(1)
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scoped("a push answer that forgets or invents pages is not believed", () =>
    Effect.gen(function* () {
      const place = yield* freshPlace
      const member = yield* clone(
        (response) => answerJson(response, 200, { new_head: sha, pushed: [{ path: "wiki/concepts/other.md", sha }] }),
        place
      )
      yield* member.as(writePage({ slug: "mine", type: "concept", body: "## Mine\n" }))
      const failure = yield* Effect.flip(member.as(push({}, {})))
      expect(failure.message).toContain("did not confirm wiki/concepts/mine.md")
      expect((yield* member.as(localStatus())).neverPushed).toEqual(["wiki/concepts/mine.md"])
    }).pipe(Effect.provide(NodeContext.layer))
  )
})
