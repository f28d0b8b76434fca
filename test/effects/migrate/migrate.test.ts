import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { readFileSync } from "node:fs"
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { discover } from "../../../src/effects/migrate/discover.ts"
import { finishMigration, migrate, stageMigration } from "../../../src/effects/migrate/migrate.ts"
import { Manifest } from "../../../src/model/sync/Manifest.ts"
import { folderSource } from "../../../src/services/migrate/Source.ts"
import { Staging } from "../../../src/services/migrate/Staging.ts"
import * as ProjectLockLive from "../../../src/services/project/ProjectLockLive.ts"
import { freshPlace, type Place, platform, projectIn, withEnvironment } from "../../support/place.ts"

const look = (place: Place, path = ".") => Effect.flatMap(folderSource(place.folder, path), discover)

const offered = (place: Place, path?: string) =>
  Effect.map(look(place, path), ({ items }) => items.map((item) => `${item.n} ${item.group} ${item.type} ${item.path}`))

const inProject = (place: Place) =>
  Staging.layer.pipe(Layer.provideMerge(ProjectLockLive.layer), Layer.provideMerge(projectIn(place)))

/** A place with a project in it, whatever stands around it. */
const project = Effect.tap(freshPlace, (place) => place.makeFolder(".contexo"))

describe("discovery", () => {
  it.scoped("says of each document what it is, costs and is about; a copy and a link once", () =>
    Effect.gen(function* () {
      const place = yield* freshPlace
      yield* place.git(".", "init", "-q")
      yield* place.write("README.md", "# Acme\n\nAcme API fronts the billing ledger and owns idempotency keys.\n")
      yield* place.write("CLAUDE.md", "Build with make build. Read @notes/style.md first, and @nowhere.md.\n")
      yield* place.link("CLAUDE.md", "AGENTS.md")
      yield* place.write("notes/style.md", "We write short sentences.\n")
      yield* place.write("docs/a.md", "The same words.\n")
      yield* place.write("docs/b.md", "The same words.\n")
      yield* place.write("docs/adr/0001-x.md", "# X\n\nStatus: superseded\n\nWe use a queue.\n")
      yield* place.write("docs/plan.md", "# Benchmark of two queues\n\nOne is faster.\n")
      const { items, skipped } = yield* look(place)
      expect(items[0]).toEqual({
        n: 1,
        group: "docs",
        type: "entity",
        path: "README.md",
        absPath: place.at("README.md"),
        tokens: 18,
        summary: "Acme API fronts the billing ledger and owns idempotency keys."
      })
      expect(items.slice(1).map(({ group, path, summary, type }) => [group, type, path, summary])).toEqual([
        ["docs", "concept", "docs/a.md", "The same words. (also docs/b.md)"],
        ["docs", "analysis", "docs/plan.md", "One is faster."],
        [
          "agentfiles",
          "concept",
          "CLAUDE.md",
          "Build with make build. Read @notes/style.md first, and @nowhere.md. (also AGENTS.md)"
        ],
        ["agentfiles", "concept", "notes/style.md", "We write short sentences."],
        ["decisions", "analysis", "docs/adr/0001-x.md", "(no longer in force) We use a queue."]
      ])
      expect(skipped).toEqual([])
    }).pipe(Effect.provide(platform))
  )

  it.scoped(
    "asks git what is ignored: nested rules, negations, the repository's own, and what is tracked all the same",
    () =>
      Effect.gen(function* () {
        const place = yield* freshPlace
        yield* place.git(".", "init", "-q")
        yield* place.write(".gitignore", "docs/private/*\n!docs/private/kept.md\ntracked.md\n")
        yield* place.write("docs/private/secret.md", "Secret words here.\n")
        yield* place.write("docs/private/kept.md", "Kept words here.\n")
        yield* place.write("docs/.gitignore", "draft.md\n")
        yield* place.write("docs/draft.md", "Draft words here.\n")
        yield* place.write("docs/tracked.md", "Tracked words here.\n")
        yield* place.write(".git/info/exclude", "docs/mine.md\n")
        yield* place.write("docs/mine.md", "My words here.\n")
        yield* place.git(".", "add", "-f", "docs/tracked.md")
        const expected = ["1 docs concept docs/tracked.md", "2 docs concept docs/private/kept.md"]
        expect(yield* offered(place)).toEqual(expected)
        // Without git the rules are the same; only git knows what it tracks.
        yield* place.remove(".git")
        yield* place.write(".git/info/exclude", "docs/mine.md\n")
        expect(yield* offered(place)).toEqual(["1 docs concept docs/private/kept.md"])
      }).pipe(Effect.provide(platform))
  )

  it.scoped("looks into a folder of its own, whatever the repository around it ignores", () =>
    Effect.gen(function* () {
      const place = yield* freshPlace
      yield* place.git(".", "init", "-q")
      yield* place.write(".gitignore", "vault/\n")
      yield* place.write("vault/.obsidian/app.json", "{}")
      yield* place.write("vault/People/Ada.md", "Ada keeps the ledger.\n")
      yield* place.write("vault/Rule.md", "---\ntype: analysis\n---\nWhy we count twice.\n")
      expect(yield* offered(place)).toEqual([])
      expect(yield* offered(place, "vault")).toEqual(["1 vault analysis Rule.md", "2 vault entity People/Ada.md"])
    }).pipe(Effect.provide(platform))
  )

  it.scoped("names what it leaves out, and why", () =>
    Effect.gen(function* () {
      const place = yield* freshPlace
      yield* place.write("docs/binary.md", new Uint8Array([0x23, 0x00, 0x41]))
      yield* place.write("docs/latin.md", new Uint8Array([0x63, 0x61, 0x66, 0xe9]))
      yield* place.write("docs/big.md", "x".repeat(1024 * 1024 + 1))
      yield* place.write("docs/empty.md", "")
      yield* place.write("docs/pointer.md", "See [the handbook](x.md).\n")
      yield* place.write("docs/line\nbreak.md", "Words of it.\n")
      yield* place.write('docs/it\'s "quoted" \ttab.md', "Words of it.\n")
      yield* place.link("loop.md", "docs/loop.md")
      yield* place.link("nowhere.md", "docs/dangling.md")
      yield* place.link("/etc/hostname", "docs/outside.md")
      yield* place.makeFolder("docs/folder.md")
      const { items, skipped } = yield* look(place)
      expect(items).toEqual([])
      expect(skipped.map(({ path, reason }) => `${path}: ${reason}`)).toEqual([
        "docs/big.md: larger than 1 MiB (1.0 MiB)",
        "docs/binary.md: binary",
        "docs/dangling.md: a symbolic link that leads nowhere",
        "docs/empty.md: empty",
        'docs/it\'s "quoted"  tab.md: its name holds line breaks or invisible characters',
        "docs/latin.md: not UTF-8 text",
        "docs/line break.md: its name holds line breaks or invisible characters",
        "docs/loop.md: a loop of symbolic links",
        "docs/outside.md: leads out of the source",
        "docs/pointer.md: says no more than where to look"
      ])
    }).pipe(Effect.provide(platform))
  )

  it.scoped("takes names with quotes, and is not stopped by names that are no text, nor by loops of folders", () =>
    Effect.gen(function* () {
      const place = yield* freshPlace
      yield* place.write("docs/say \"hi\" & 'bye' $HOME.md", "Words of it.\n")
      yield* Effect.sync(() => {
        writeFileSync(Buffer.concat([Buffer.from(place.at("docs/")), Buffer.from([0xff, 0x2e, 0x6d, 0x64])]), "x")
        mkdirSync(place.at("docs/deep"))
        symlinkSync("..", place.at("docs/deep/up"))
      })
      const expected = ["1 docs concept docs/say \"hi\" & 'bye' $HOME.md"]
      const withoutGit = yield* look(place)
      expect(withoutGit.items.map(({ path }) => `1 docs concept ${path}`)).toEqual(expected)
      expect(withoutGit.skipped).toEqual([{ path: "docs/", reason: "a name in it is not UTF-8 text" }])
      yield* place.git(".", "init", "-q")
      const withGit = yield* look(place)
      expect(withGit.items.map(({ path }) => `1 docs concept ${path}`)).toEqual(expected)
      expect(withGit.skipped).toEqual([{ path: "docs/\ufffd.md", reason: "its name is not UTF-8 text" }])
    }).pipe(Effect.provide(platform))
  )

  it.scoped("lists 40 of a group, and says how many more there are", () =>
    Effect.gen(function* () {
      const place = yield* freshPlace
      yield* Effect.forEach(
        Array.from({ length: 45 }, (_, index) => index),
        (index) => place.write(`docs/page-${String(index).padStart(2, "0")}.md`, `Words of page ${index}.\n`)
      )
      yield* place.write("CHANGELOG.md", "The first release was good.\n")
      const found = yield* look(place)
      expect(found.items).toHaveLength(41)
      expect(found.items.at(-1)).toMatchObject({ n: 41, group: "history" })
      expect(found.more).toEqual([{ group: "docs", count: 5 }])
    }).pipe(Effect.provide(platform))
  )

  it.scoped("refuses what is no folder, and a bare repository, in a sentence each", () =>
    Effect.gen(function* () {
      const place = yield* freshPlace
      const refusal = (path: string) => Effect.map(Effect.flip(look(place, path)), ({ message }) => message)
      expect(yield* refusal("nowhere")).toBe(
        `${place.at("nowhere")}: there is no such folder. Name a folder, or the URL of a git repository.`
      )
      yield* place.git(".", "init", "-q", "--bare", "bare.git")
      expect(yield* refusal("bare.git")).toContain("this is a bare git repository, without files to read")
    }).pipe(Effect.provide(platform))
  )

  it.scoped("expands the home folder", () =>
    Effect.gen(function* () {
      const place = yield* freshPlace
      yield* place.write("notes/README.md", "My own notes.\n")
      const source = yield* folderSource("/", "~/notes").pipe(withEnvironment({ HOME: place.folder }))
      expect(source.root).toBe(place.at("notes"))
    }).pipe(Effect.provide(platform))
  )
})

/** Lays a public repository's documents out: real names and sizes, text that is written here. */
const layOut = (place: Place, name: string) =>
  Effect.sync(() => {
    const rows = readFileSync(join(import.meta.dirname, "..", "..", "fixtures", "trees", `${name}.tsv`), "utf8")
    for (const row of rows.trimEnd().split("\n").slice(1)) {
      const [size = "", path = "", target = ""] = row.split("\t")
      mkdirSync(dirname(place.at(path)), { recursive: true })
      if (size === "link") symlinkSync(target, place.at(path))
      else
        writeFileSync(
          place.at(path),
          `# ${path}\n\nAbout ${path}.\n`.padEnd(Number(size), "word ").slice(0, Number(size))
        )
    }
  })

describe("a public repository", () => {
  it.scoped("fastmcp: current documentation, agents' files behind their links, skills; old versions are left out", () =>
    Effect.gen(function* () {
      const place = yield* freshPlace
      yield* layOut(place, "fastmcp")
      const { items, more, skipped } = yield* look(place)
      const of = (group: string) => items.filter((item) => item.group === group)
      expect(
        of("docs")
          .slice(0, 5)
          .map(({ path, type }) => `${type} ${path}`)
      ).toEqual([
        "entity README.md",
        "concept CONTRIBUTING.md",
        "concept SECURITY.md",
        "concept docs/updates.mdx",
        "concept docs/community/README.md"
      ])
      expect(of("docs")).toHaveLength(40)
      expect(more).toEqual([{ group: "docs", count: 184 }])
      expect(of("agentfiles").map(({ path, summary }) => `${path} | ${/\(also .*/.exec(summary)?.[0] ?? ""}`)).toEqual([
        "CLAUDE.md | (also AGENTS.md, .github/copilot-instructions.md)",
        ".cursor/rules/core-mcp-objects.mdc | ",
        "docs/.cursor/rules/mintlify.mdc | "
      ])
      expect(of("skills").map(({ path }) => path)).toEqual([
        "skills/fastmcp-client-cli/SKILL.md",
        ".claude/skills/code-review/SKILL.md",
        ".claude/skills/python-tests/SKILL.md",
        ".claude/skills/review-issue/SKILL.md",
        ".claude/skills/review-pr/SKILL.md",
        ".claude/skills/review-security-report/SKILL.md"
      ])
      expect(of("history").map(({ path, type }) => `${type} ${path}`)).toEqual(["source docs/changelog.mdx"])
      expect(items).toHaveLength(40 + 3 + 6 + 1)
      expect(skipped).toHaveLength(222)
      expect(
        skipped.every(({ path, reason }) => /^docs\/v[23]\//.test(path) && reason === "documents an older version")
      ).toBe(true)
    }).pipe(Effect.provide(platform))
  )

  it.scoped("beads: decisions beside a plugin too; templates, test data and the site's versions are left out", () =>
    Effect.gen(function* () {
      const place = yield* freshPlace
      yield* layOut(place, "beads")
      const { items, more, skipped } = yield* look(place)
      const of = (group: string) =>
        items.filter((item) => item.group === group).map(({ path, type }) => `${type} ${path}`)
      expect(of("docs").slice(0, 4)).toEqual([
        "entity README.md",
        "concept CONTRIBUTING.md",
        "concept SECURITY.md",
        "concept docs/ADAPTIVE_IDS.md"
      ])
      expect(of("docs")).toContain("analysis docs/CI_TEST_SURFACE_AUDIT.md")
      expect(more).toEqual([{ group: "docs", count: 43 }])
      expect(of("agentfiles")).toEqual([
        "concept AGENTS.md",
        "concept CLAUDE.md",
        "concept .github/copilot-instructions.md",
        "concept docs/CLAUDE.md",
        "concept cmd/bd/AGENTS.md",
        "concept plugins/beads/skills/beads/CLAUDE.md",
        "concept plugins/beads/skills/beads/resources/AGENTS.md"
      ])
      expect(of("decisions")).toEqual([
        "analysis docs/adr/0001-multi-remote-approach.md",
        "analysis docs/adr/0002-init-safety-invariants.md",
        "analysis plugins/beads/skills/beads/adr/0001-bd-prime-as-source-of-truth.md"
      ])
      expect(of("history")).toEqual(["source CHANGELOG.md", "source integrations/beads-mcp/CHANGELOG.md"])
      expect(items).toHaveLength(40 + 7 + 3 + 2)
      expect(skipped).toEqual([])
    }).pipe(Effect.provide(platform))
  )
})

describe("migrate", () => {
  const setUp = Effect.gen(function* () {
    const place = yield* project
    yield* place.write("README.md", "Acme fronts the ledger.\n")
    yield* place.write("CLAUDE.md", "Build with make build.\n")
    return place
  })

  it.scoped("offers, stages what was picked, hands it over until it is done, and offers again", () =>
    Effect.gen(function* () {
      const place = yield* setUp
      yield* Effect.gen(function* () {
        const first = yield* migrate({})
        expect(first).toMatchObject({ _tag: "MigrateCatalog", source: place.folder, items: [{ n: 1 }, { n: 2 }] })
        expect(yield* place.exists(".contexo/migrate.json")).toBe(false)

        yield* stageMigration(yield* look(place), "2")
        const resumed = yield* migrate({ path: "elsewhere" })
        expect(resumed).toMatchObject({ _tag: "MigrateResume", items: [{ n: 2, absPath: place.at("CLAUDE.md") }] })
        // Nobody's picks are lost.
        expect(yield* Effect.flip(stageMigration(yield* look(place), "all"))).toMatchObject({
          _tag: "AlreadyStaged",
          kind: "migrate",
          count: 1
        })

        expect(yield* finishMigration()).toMatchObject({ items: Option.some(1), clones: 0 })
        expect(yield* finishMigration()).toMatchObject({ items: Option.none() })
        expect(yield* migrate({})).toMatchObject({ _tag: "MigrateCatalog" })
      }).pipe(Effect.provide(inProject(place)))
    }).pipe(Effect.provide(platform))
  )

  it.scoped("says so where nothing is found", () =>
    Effect.gen(function* () {
      const place = yield* project
      yield* place.write("src/index.ts", "export {}\n")
      const answer = yield* Effect.provide(migrate({}), inProject(place))
      expect(answer).toMatchObject({ _tag: "NothingFound", source: place.folder, skipped: 0 })
    }).pipe(Effect.provide(platform))
  )

  it.scoped("leaves what generate staged alone: it still offers, and only staging refuses", () =>
    Effect.gen(function* () {
      const place = yield* setUp
      const staged = JSON.stringify({
        version: 1,
        kind: "generate",
        source: place.folder,
        created: "2026-07-05",
        items: []
      })
      yield* place.write(".contexo/migrate.json", staged)
      yield* Effect.gen(function* () {
        expect(yield* migrate({})).toMatchObject({ _tag: "MigrateCatalog" })
        expect(yield* finishMigration()).toMatchObject({ items: Option.none() })
        const refusal = yield* Effect.flip(stageMigration(yield* look(place), "1"))
        expect(refusal).toMatchObject({ _tag: "AlreadyStaged", kind: "generate" })
        expect(refusal.message).toContain("ctx_generate(done=true)")
        expect(yield* place.read(".contexo/migrate.json")).toBe(staged)
      }).pipe(Effect.provide(inProject(place)))
    }).pipe(Effect.provide(platform))
  )

  it.scoped("refuses a selection that is not on the list", () =>
    Effect.gen(function* () {
      const place = yield* setUp
      const refusal = yield* Effect.flip(stageMigration(yield* look(place), "3")).pipe(Effect.provide(inProject(place)))
      expect(refusal.message).toBe("there is no 3: the list goes from 1 to 2. 'ctx migrate --list' shows the list.")
      expect(yield* place.exists(".contexo/migrate.json")).toBe(false)
    }).pipe(Effect.provide(platform))
  )

  it.scoped("trusts no manifest that names files elsewhere, and leaves it as it is", () =>
    Effect.gen(function* () {
      const place = yield* setUp
      const item = { n: 1, type: "concept", path: "x.md", tokens: 1, summary: "" }
      const hostile: ReadonlyArray<readonly [object, string]> = [
        [{ items: [{ ...item, abs_path: "/etc/passwd" }] }, "item 1 lies outside of its source"],
        [{ items: [{ ...item, abs_path: place.at("../x.md") }] }, "item 1 lies outside of its source"],
        [{ items: [], clones: ["../wiki"] }, "a clone's name is no plain name"],
        [{ items: [], clones: ["-rf"] }, "a clone's name is no plain name"],
        [{ items: [], source: "relative" }, "its source is no absolute path"],
        [{ items: [{ ...item, abs_path: 3 }] }, '"items.0.abs_path" holds another kind of value than it should']
      ]
      for (const [given, reason] of hostile) {
        const text = JSON.stringify({ version: 1, source: place.folder, created: "2026-07-05", ...given })
        yield* place.write(".contexo/migrate.json", text)
        for (const step of [Effect.asVoid(migrate({})), Effect.asVoid(finishMigration())]) {
          expect(yield* Effect.flip(Effect.provide(step, inProject(place)))).toMatchObject({
            _tag: "CorruptFile",
            reason
          })
        }
        expect(yield* place.read(".contexo/migrate.json")).toBe(text)
      }
      expect(yield* place.exists("README.md")).toBe(true)
    }).pipe(Effect.provide(platform))
  )

  it.scoped("deletes clones that nothing refers to, and nothing beside them (A13, A14)", () =>
    Effect.gen(function* () {
      const place = yield* setUp
      yield* place.write(".contexo/.migrate-cache/used/repo/a.md", "x")
      yield* place.write(".contexo/.migrate-cache/unused/repo/a.md", "x")
      yield* place.write("precious/a.md", "x")
      yield* place.link("../../precious", ".contexo/.migrate-cache/link")
      const manifest = Manifest.make({
        kind: "migrate",
        version: 1,
        source: place.at(".contexo/.migrate-cache/used/repo"),
        created: "2026-07-05",
        items: [],
        clones: ["used"]
      })
      yield* place.write(".contexo/migrate.json", JSON.stringify(manifest))
      yield* Effect.gen(function* () {
        const staging = yield* Staging
        expect(yield* staging.sweepClones).toBe(2)
        expect(yield* place.read("precious/a.md")).toBe("x")
        expect(yield* place.read(".contexo/.migrate-cache/used/repo/a.md")).toBe("x")
        expect(yield* place.exists(".contexo/.migrate-cache/unused")).toBe(false)
        expect(yield* place.isLink(".contexo/.migrate-cache/link")).toBe(false)

        // The cache itself leads elsewhere: not ours.
        yield* place.remove(".contexo/.migrate-cache")
        yield* place.remove(".contexo/migrate.json")
        yield* place.link("../precious", ".contexo/.migrate-cache")
        expect(yield* staging.sweepClones).toBe(0)
        expect(yield* place.read("precious/a.md")).toBe("x")
      }).pipe(Effect.provide(inProject(place)))
    }).pipe(Effect.provide(platform))
  )
})
