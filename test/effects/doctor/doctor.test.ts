import { FetchHttpClient } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Option, Redacted, type Scope } from "effect"
import { readFileSync, utimesSync, writeFileSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import {
  type Check,
  type Diagnosis,
  doctor,
  type DoctorOptions,
  type Finding,
  repair
} from "../../../src/effects/doctor/doctor.ts"
import { runtimeFinding, sqliteFinding } from "../../../src/effects/doctor/runtime.ts"
import { clockFinding } from "../../../src/effects/doctor/server.ts"
import { push } from "../../../src/effects/sync/Push.ts"
import { writePage } from "../../../src/effects/page/writePage.ts"
import { sha256 } from "../../../src/model/text/Hash.ts"
import { PagePath } from "../../../src/model/page/PagePath.ts"
import { Sha } from "../../../src/model/page/Sha.ts"
import { Credentials } from "../../../src/services/sync/Credentials.ts"
import { ProjectConfig } from "../../../src/services/project/ProjectConfig.ts"
import { ProjectLock } from "../../../src/services/project/ProjectLock.ts"
import { SyncState } from "../../../src/services/sync/SyncState.ts"
import { freshPlace, type Place, withEnvironment } from "../../support/place.ts"
import { answerJson, stubServer } from "../../support/stubServer.ts"
import { freshTeam, type Member, open } from "../../support/team.ts"

const examine = (member: Member, options?: DoctorOptions): Effect.Effect<Diagnosis> =>
  member.as(Effect.provide(doctor(options), FetchHttpClient.layer))

/** What was found of one kind that is not in order. */
const of = (check: Check, { findings }: Diagnosis): ReadonlyArray<Finding> =>
  findings.filter((one) => one.check === check && one.level !== "ok")

const page = (slug: string, body = "## Decision\n\nYes.\n") =>
  `---\nschema: ctx.page.v1\nslug: ${slug}\ntype: concept\nauthor: ada\ncreated: 2026-01-01T00:00:00Z\nupdated: 2026-01-01T00:00:00Z\n---\n${body}`

const sha = Sha.make("0123456789abcdef0123456789abcdef01234567")
const token = Redacted.make("ctxp_0123456789abcdefghij")

/** A project on its own, without a server. */
const alone = Effect.gen(function* () {
  const place = yield* freshPlace
  yield* place.write(".contexo/wiki/concepts/a.md", page("a"))
  const member = yield* open(place.folder)
  return { place, member, restart: open(place.folder) }
})

const wire = (member: Member, url: string, repo = "demo") =>
  member.as(
    Effect.gen(function* () {
      yield* (yield* ProjectConfig).update({ server_url: url, repo_id: repo })
      yield* (yield* Credentials).write({ bearer: token, serverUrl: url })
    })
  )

const test = <E>(
  name: string,
  run: Effect.Effect<unknown, E, Scope.Scope | Effect.Effect.Context<typeof freshPlace>>
) => it.scopedLive(name, () => Effect.provide(run, NodeContext.layer))

/** One thing that is odd about a project without a server, and what is said of it. */
const finds = <E>(
  name: string,
  make: (place: Place, member: Member) => Effect.Effect<unknown, E>,
  check: Check,
  expected: ReadonlyArray<object>,
  options?: DoctorOptions
) =>
  test(
    name,
    Effect.gen(function* () {
      const { member, place, restart } = yield* alone
      yield* make(place, member)
      const diagnosis = yield* examine(yield* restart, options)
      expect(of(check, diagnosis)).toEqual(expected.map((one) => expect.objectContaining(one)))
      expect(diagnosis.ok).toBe(!diagnosis.findings.some(({ level }) => level === "problem"))
    })
  )

const problemAt = (path: string, message: unknown) => ({ level: "problem", path, message })
const saying = (text: string) => expect.stringContaining(text)

describe("doctor on the pages", () => {
  const concept = (name: string) => `wiki/concepts/${name}`
  const put = (name: string, text: string) => (place: Place) => place.write(`.contexo/${concept(name)}`, text)

  finds("names a malformed page, and why", put("bad.md", "---\ntags: [#a\n---\n"), "malformed-page", [
    { level: "problem", path: concept("bad.md") }
  ])
  finds("A17: names a foreign file name, and the rename", put("caf\u00e9.md", page("x")), "foreign-name", [
    problemAt(concept("caf\u00e9.md"), saying("rename it to cafe.md"))
  ])
  finds("A16: names twins that differ by case", put("A.md", page("A")), "case-twin", [
    problemAt(concept("A.md"), saying("a.md")),
    problemAt(concept("a.md"), saying("A.md"))
  ])
  finds(
    "A14: names a page folder that leads out",
    (place) => Effect.zipRight(place.remove(".contexo/wiki/concepts"), place.link("/etc", ".contexo/wiki/concepts")),
    "pages",
    [{ level: "problem", message: saying("/etc") }]
  )
  finds("says that the indexes are missing, or old", (place) => place.write(".contexo/index.md", "old"), "indexes", [
    { level: "note", path: "index.md", message: "out of date" },
    { level: "note", path: "tags.md", message: "missing" }
  ])
  finds(
    "--read-data: names a file whose bytes changed though nothing shows it",
    (place, member) =>
      Effect.gen(function* () {
        // Longer ago than a change could hide behind the time of the last listing.
        utimesSync(place.at(".contexo/wiki/concepts/a.md"), 0, 0)
        yield* Effect.sleep("2100 millis")
        yield* examine(member)
        const cache = place.at(".contexo/.cache/catalog.db")
        const bytes = readFileSync(cache, "latin1")
        const hash = sha256(page("a"))
        expect(bytes).toContain(hash)
        writeFileSync(cache, bytes.replaceAll(hash, sha256("other")), "latin1")
      }),
    "page-data",
    [{ level: "warning", path: concept("a.md") }],
    { readData: true }
  )
})

describe("doctor on settings and safety", () => {
  finds("names a corrupt config", (place) => place.write(".contexo/config.json", "{"), "config", [
    problemAt("config.json", saying("not valid JSON"))
  ])
  finds(
    "names a server address that is none",
    (place) => place.write(".contexo/config.json", '{"server_url":"ftp://x"}'),
    "config",
    [problemAt("config.json", saying("ftp://x"))]
  )
  finds("names corrupt credentials", (place) => place.write(".contexo/credentials.json", "[]"), "credentials", [
    problemAt("credentials.json", saying("not a JSON object"))
  ])
  finds("says that there is no token", () => Effect.void, "credentials", [{ level: "note" }])
  finds(
    "names a token that others may read",
    (place, member) =>
      Effect.zipRight(wire(member, "http://127.0.0.1:1"), place.chmod(".contexo/credentials.json", 0o644)),
    "credentials-mode",
    [problemAt("credentials.json", saying("0644"))]
  )
  const repository = (place: Place, member: Member) =>
    Effect.zipRight(wire(member, "http://127.0.0.1:1"), place.git(".", "init", "-q"))
  finds("names a token that git does not ignore", repository, "gitignore", [
    problemAt("credentials.json", saying("does not ignore"))
  ])
  finds(
    "names a token that git tracks",
    (place, member) => Effect.zipRight(repository(place, member), place.git(".", "add", ".contexo/credentials.json")),
    "gitignore",
    [problemAt("credentials.json", saying("tracks"))]
  )
  finds(
    "is content with any pattern by which git ignores it",
    (place, member) =>
      Effect.zipRight(repository(place, member), place.write(".gitignore", ".contexo/*\n!.contexo/wiki/\n")),
    "gitignore",
    []
  )
  finds(
    "does not look into a project that everybody may write in",
    (place) => place.chmod(".contexo", 0o777),
    "trust",
    [{ level: "problem", message: saying("everybody may write") }]
  )
  finds(
    "A18: points at another project where there are no pages",
    (place) => Effect.zipRight(place.remove(".contexo/wiki/concepts/a.md"), place.makeFolder("child/.contexo")),
    "look-alike",
    [{ level: "warning", path: expect.stringMatching(/child$/) }]
  )
  const temporary = ".ctx-4242-0123456789abcdef.tmp"
  finds(
    "names temporary files of the dead, and leaves fresh ones alone",
    (place) =>
      Effect.gen(function* () {
        yield* place.write(`.contexo/wiki/concepts/${temporary}`, "half")
        yield* place.write(`.contexo/${temporary}`, "being written")
        utimesSync(place.at(`.contexo/wiki/concepts/${temporary}`), 0, 0)
      }),
    "temporary-files",
    [{ level: "note", path: `wiki/concepts/${temporary}` }]
  )

  test(
    "says whether the lock is free",
    Effect.gen(function* () {
      const { member, restart } = yield* alone
      const other = yield* restart
      const free = (diagnosis: Diagnosis) => diagnosis.findings.find(({ check }) => check === "lock")
      expect(free(yield* examine(member))).toMatchObject({ level: "ok", message: "free" })
      const held = other.as(Effect.flatMap(ProjectLock, (lock) => lock.run(examine(member))))
      expect(free(yield* held)).toMatchObject({ level: "note", message: saying("another ctx process") })
    })
  )
})

describe("doctor on what is known of the server", () => {
  const state = (shas: Record<string, string>) => (place: Place) =>
    place.write(".contexo/.sync/state.json", JSON.stringify({ last_pull_sha: sha, page_shas: shas }))

  finds("names a corrupt state", (place) => place.write(".contexo/.sync/state.json", "{,"), "state", [
    problemAt(".sync/state.json", saying("not valid JSON"))
  ])
  finds(
    "names pages of which nobody knows what they were based on",
    state({ "wiki/concepts/a.md": sha }),
    "unknown-base",
    [{ level: "note", path: "wiki/concepts/a.md" }]
  )
  finds("names pages whose file is gone", state({ "wiki/concepts/gone.md": sha }), "gone-here", [
    { level: "warning", path: "wiki/concepts/gone.md" }
  ])
  finds(
    "names pages that await their merge",
    (_, member) =>
      member.as(
        Effect.gen(function* () {
          const mark = { ancestor: Option.none(), server: Option.none(), mineHash: sha256(page("a")) }
          yield* (yield* SyncState).apply({ await: [{ path: PagePath.make("wiki/concepts/a.md"), mark }] })
        })
      ),
    "awaiting-merge",
    [{ level: "warning", path: "wiki/concepts/a.md" }]
  )
  const garbage = "no database ".repeat(1000)
  finds("names a corrupt bases.db", (place) => place.write(".contexo/.sync/bases.db", garbage), "bases", [
    { level: "problem", path: ".sync/bases.db" }
  ])
  test(
    "leaves a corrupt bases.db as it is, until it is told to fix it",
    Effect.gen(function* () {
      const { member, place, restart } = yield* alone
      yield* place.write(".contexo/.sync/bases.db", garbage)
      yield* examine(member)
      expect(yield* place.read(".contexo/.sync/bases.db")).toBe(garbage)
      yield* (yield* restart).as(repair())
      const after = yield* examine(yield* restart)
      expect(of("bases", after)).toMatchObject([{ level: "note", path: ".sync/bases.db.corrupt-1" }])
      expect(after.ok).toBe(true)
    })
  )
  finds(
    "--read-data: names a base that does not fit its hash",
    (place, member) =>
      Effect.gen(function* () {
        const known = [{ path: PagePath.make("wiki/concepts/a.md"), base: { sha, text: page("a") } }]
        yield* member.as(Effect.flatMap(SyncState, (one) => one.apply({ known })))
        const db = new DatabaseSync(place.at(".contexo/.sync/bases.db"))
        db.prepare("UPDATE base_text SET text = ?").run(new TextEncoder().encode("other"))
        db.close()
      }),
    "base-data",
    [{ level: "problem", path: "wiki/concepts/a.md" }],
    { readData: true }
  )
})

describe("doctor on the server", () => {
  finds("says what is missing to ask one", () => Effect.void, "server", [{ level: "note", message: saying("server") }])
  finds("names one that does not answer", (_, member) => wire(member, "http://127.0.0.1:1"), "server", [
    { level: "problem", message: saying("did not answer") }
  ])
  finds(
    "names a token of another server, which it does not send",
    (_, member) =>
      Effect.zipRight(
        wire(member, "http://127.0.0.1:1"),
        member.as(Effect.flatMap(ProjectConfig, (config) => config.update({ server_url: "http://127.0.0.1:2" })))
      ),
    "server",
    [{ level: "problem", message: saying("was not sent") }]
  )

  const withStub = (name: string, headers: Record<string, string>, check: Check, expected: ReadonlyArray<object>) =>
    test(
      name,
      Effect.gen(function* () {
        const stub = yield* stubServer((response, { url }) =>
          answerJson(response, 200, url === "/health" ? { status: "ok" } : { pages: [] }, headers)
        )
        const { member } = yield* alone
        yield* wire(member, stub.url)
        expect(of(check, yield* examine(member))).toEqual(expected.map((one) => expect.objectContaining(one)))
        // The clock is compared without showing the token.
        expect(stub.received.find(({ url }) => url === "/health")?.headers.authorization).toBeUndefined()
      })
    )
  const hourAgo = new Date(Date.now() - 3_600_000).toUTCString()
  withStub("A39: warns of a clock that is an hour ahead", { date: hourAgo }, "clock", [
    { level: "warning", message: expect.stringMatching(/^ahead of the server's by (1h|59m)/) }
  ])
  withStub("is content with a clock that is not", {}, "clock", [])
  it("A39: tells a clock that is ten years off from one that is four minutes off", () => {
    expect(clockFinding(-10 * 365 * 86_400_000)).toMatchObject({ level: "warning", message: saying("behind") })
    expect(clockFinding(240_000).level).toBe("ok")
  })

  test(
    "A38: names the proxy that the server is asked through, and variables that nothing comes of, never a password",
    Effect.gen(function* () {
      const { member } = yield* alone
      yield* wire(member, "http://127.0.0.1:1")
      const about = (variables: Record<string, string>) =>
        Effect.map(examine(member).pipe(withEnvironment(variables)), ({ findings }) =>
          findings.filter(({ check }) => check === "proxy")
        )
      expect(yield* about({})).toEqual([])
      expect(yield* about({ HTTP_PROXY: "http://ada:s3cret@127.0.0.1:2" })).toEqual([
        { check: "proxy", level: "ok", message: "http://127.0.0.1:2, which HTTP_PROXY names" }
      ])
      expect(yield* about({ HTTPS_PROXY: "socks5://ada:s3cret@127.0.0.1:2" })).toEqual([
        {
          check: "proxy",
          level: "warning",
          message: "HTTPS_PROXY is set, but socks5:// is no kind of proxy that works here",
          fix: "name an http:// proxy"
        }
      ])
    })
  )

  test(
    "A37: names a gateway's page that stands in the server's place",
    Effect.gen(function* () {
      const stub = yield* stubServer((response) => {
        response.writeHead(502, { "content-type": "text/html" })
        response.end("<html>Bad Gateway")
      })
      const { member } = yield* alone
      yield* wire(member, stub.url)
      expect(of("server", yield* examine(member))).toMatchObject([{ level: "problem", message: saying("502") }])
    })
  )

  test(
    "knows a repository that is not there yet from a token that is refused, and is content with what is in order",
    Effect.gen(function* () {
      const team = yield* freshTeam
      const ada = yield* team.member("ada")
      expect(of("server", yield* examine(ada))).toMatchObject([{ level: "note", message: saying("repository") }])
      yield* ada.as(writePage({ slug: "a", type: "concept", body: "## A\n" }))
      yield* ada.as(push({}, {}))
      const healthy = yield* examine(ada, { readData: true })
      expect(healthy.ok).toBe(true)
      expect(healthy.findings.filter(({ level }) => level !== "ok")).toEqual([])
      yield* wire(ada, team.url)
      expect(of("server", yield* examine(ada))).toMatchObject([
        { level: "problem", message: saying("refused the token") }
      ])
    })
  )

  test(
    "--read-data: names a page that the server has another text of under the same sha",
    Effect.gen(function* () {
      const team = yield* freshTeam
      const ada = yield* team.member("ada")
      yield* ada.as(writePage({ slug: "a", type: "concept", body: "## A\n" }))
      yield* ada.as(push({}, {}))
      const db = new DatabaseSync(team.place.at("server", "server.db"))
      db.prepare("UPDATE bodies SET content = ?").run(new TextEncoder().encode(page("a")))
      db.close()
      expect(of("server-content", yield* examine(ada, { readData: true }))).toMatchObject([
        { level: "problem", path: "wiki/concepts/a.md" }
      ])
      expect(of("server-content", yield* examine(ada))).toEqual([])
    })
  )
})

describe("doctor on what it runs on", () => {
  it("names a runtime that is too old", () => {
    expect(runtimeFinding({ node: "22.12.9" })).toMatchObject({ level: "problem", message: "Node 22.12.9 is too old" })
    expect(runtimeFinding({ node: "24.0.0" }).level).toBe("ok")
    expect(runtimeFinding({ node: "20.11.1", deno: "2.9.6" })).toMatchObject({ level: "ok", message: "Deno 2.9.6" })
    expect(runtimeFinding({ node: "24.0.0", deno: "2.1.9" }).level).toBe("problem")
  })
  it("warns of a SQLite that may lose part of a log", () => {
    expect(sqliteFinding("3.51.2").level).toBe("warning")
    for (const version of ["3.51.3", "3.50.7", "3.44.6", "4.0.0"]) expect(sqliteFinding(version).level).toBe("ok")
  })
})

describe("doctor --fix", () => {
  test(
    "puts right what needs no decision, says so, and finds nothing more of it",
    Effect.gen(function* () {
      const { member, place, restart } = yield* alone
      yield* wire(member, "http://127.0.0.1:1")
      yield* place.chmod(".contexo/credentials.json", 0o644)
      yield* place.git(".", "init", "-q")
      yield* place.write(".contexo/.cache/catalog.db", "no database")
      yield* place.write(".contexo/.ctx-1-0123456789abcdef.tmp", "half")
      utimesSync(place.at(".contexo/.ctx-1-0123456789abcdef.tmp"), 0, 0)
      const before = yield* place.read(".contexo/wiki/concepts/a.md")

      expect(yield* (yield* restart).as(repair())).toEqual(
        [
          "credentials.json is readable by you alone now (0600)",
          ".gitignore names .contexo/ now",
          "removed 1 temporary file(s)",
          "read 1 page(s) anew",
          "wrote index.md and tags.md anew"
        ].map((message) => ({ done: true, message }))
      )
      const after = yield* examine(yield* restart, { readData: true })
      const left = new Set(after.findings.filter(({ level }) => level !== "ok").map(({ check }) => check))
      expect([...left]).toEqual(["server"])
      expect(yield* place.mode(".contexo/credentials.json")).toBe(0o600)
      expect(yield* place.read(".contexo/wiki/concepts/a.md")).toBe(before)
      expect(yield* (yield* restart).as(repair())).toEqual([{ done: true, message: "read 1 page(s) anew" }])
    })
  )
})
