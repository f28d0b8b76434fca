import { describe, expect, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { init, type InitOptions } from "../../../src/effects/agents/init.ts"
import { initLines } from "../../../src/effects/agents/InitReport.ts"
import { renderIndex, renderTags } from "../../../src/model/page/IndexFiles.ts"
import { stepsFor } from "../../../src/services/agents/Attached.ts"
import { ignoreLine } from "../../../src/services/agents/GitIgnore.ts"
import { mcpServers } from "../../../src/services/agents/McpEntry.ts"
import { takeOut } from "../../support/edits.ts"
import { freshPlace, type Place, platform, withEnvironment } from "../../support/place.ts"

const place = Effect.provide(freshPlace, platform)

/** Runs `init` with nothing of the developer's own environment. */
const run = (here: Place, options: Partial<InitOptions> = {}, environment: Readonly<Record<string, string>> = {}) =>
  init({ cwd: here.folder, ...options }).pipe(
    withEnvironment({ HOME: here.at("home"), ...environment }),
    Effect.provide(platform)
  )

const lines = (here: Place, options: Partial<InitOptions> = {}, environment: Readonly<Record<string, string>> = {}) =>
  Effect.map(run(here, options, environment), initLines)

const refusal = (here: Place, options: Partial<InitOptions> = {}, environment: Readonly<Record<string, string>> = {}) =>
  Effect.flip(run(here, options, environment))

/** Every path with its content; the lock and what undoes the edits are nobody's business here. */
const contents = (here: Place) =>
  Effect.gen(function* () {
    const paths = (yield* here.everything).filter((path) => !path.includes(".sync"))
    return yield* Effect.forEach(paths, (path) => Effect.map(Effect.option(here.tryRead(path)), (text) => [path, text]))
  })

describe("ctx init", () => {
  it.scoped("makes what the reference lists, and says so", () =>
    Effect.gen(function* () {
      const here = yield* place
      yield* here.makeFolder(".git")
      expect(yield* lines(here)).toEqual([
        "  Wired Claude Code (.mcp.json) — restart your agent to load the contexo server",
        "  Claude Code records its turns (.claude/settings.json)",
        "  Created .gitignore with .contexo/",
        `Initialized .contexo in ${here.folder}`
      ])
      const made = (yield* here.everything).filter((path) => !path.includes(".sync"))
      expect(made).toEqual([
        ".claude",
        ".claude/settings.json",
        ".contexo",
        ".contexo/config.json",
        ".contexo/index.md",
        ".contexo/raw",
        ".contexo/raw/sessions",
        ".contexo/tags.md",
        ".contexo/wiki",
        ".contexo/wiki/analyses",
        ".contexo/wiki/concepts",
        ".contexo/wiki/entities",
        ".gitignore",
        ".mcp.json"
      ])
      expect(yield* here.read(".contexo/config.json")).toBe('{\n  "version": 1\n}')
      expect(yield* here.read(".contexo/index.md")).toBe(renderIndex([], []))
      expect(yield* here.read(".contexo/tags.md")).toBe(renderTags([]))
      expect(JSON.parse(yield* here.read(".mcp.json"))).toEqual({
        mcpServers: { contexo: { command: "npx", args: ["-y", "ctx-mcp"] } }
      })
      expect((yield* here.mode(".contexo")) & 0o022).toBe(0)
    })
  )

  it.scoped("run again changes nothing, and completes what is missing", () =>
    Effect.gen(function* () {
      const here = yield* place
      yield* here.makeFolder(".git")
      yield* run(here)
      yield* here.write(".contexo/index.md", "mine")
      yield* here.write(".contexo/config.json", '{"version":1,"x":2}')
      const before = yield* contents(here)
      expect(yield* lines(here)).toEqual([
        "  .mcp.json already has the contexo entry; leaving it alone",
        `Initialized .contexo in ${here.folder}`
      ])
      expect(yield* contents(here)).toEqual(before)
      yield* here.remove(".contexo/wiki/entities")
      yield* run(here)
      expect(yield* contents(here)).toEqual(before)
    })
  )

  it.scoped("wires Cursor where somebody uses it: ~/.cursor, or cursor on PATH", () =>
    Effect.gen(function* () {
      const here = yield* place
      expect(yield* lines(here)).not.toContain("  Cursor detected — wired .cursor/mcp.json")
      yield* here.write("bin/cursor", "#!/bin/sh\n")
      yield* here.chmod("bin/cursor", 0o755)
      expect(yield* lines(here, {}, { PATH: `/nowhere:${here.at("bin")}` })).toContain(
        "  Cursor detected — wired .cursor/mcp.json"
      )
      expect(yield* here.read(".cursor/mcp.json")).toBe(yield* here.read(".mcp.json"))
      yield* here.remove(".cursor")
      yield* here.makeFolder("home/.cursor")
      yield* run(here, { noCursor: true })
      yield* run(here, { noMcp: true })
      expect(yield* here.exists(".cursor/mcp.json")).toBe(false)
      yield* run(here)
      expect(yield* here.exists(".cursor/mcp.json")).toBe(true)
      expect(yield* lines(here)).toContain("  .cursor/mcp.json already has the contexo entry; leaving it alone")
    })
  )

  it.scoped("leaves out what it is told to", () =>
    Effect.gen(function* () {
      const here = yield* place
      yield* here.makeFolder(".git")
      expect(yield* lines(here, { noMcp: true, noGitignore: true, noHooks: true })).toEqual([
        `Initialized .contexo in ${here.folder}`
      ])
      expect((yield* here.everything).filter((path) => !path.startsWith(".contexo"))).toEqual([])
    })
  )

  it.scoped("outside a repository writes no .gitignore, and says that nothing guards the token", () =>
    Effect.gen(function* () {
      const here = yield* place
      const { notes } = yield* run(here)
      expect(yield* here.exists(".gitignore")).toBe(false)
      expect(notes.join()).toContain(`${here.folder} is not in a git repository`)
      expect(notes.join()).toContain("credentials.json")
      yield* here.makeFolder(".git")
      expect((yield* run(here)).notes).toEqual([])
      expect(yield* here.exists(".gitignore")).toBe(true)
    })
  )

  it.scoped("takes server and repository from contexo.json, where the config has none", () =>
    Effect.gen(function* () {
      const here = yield* place
      yield* here.write(
        "contexo.json",
        '{"server_url": "https://ctx.example.com/", "repo_id": "acme", "token": "ctxp_x"}'
      )
      expect(yield* lines(here)).toContain(
        "  Took server https://ctx.example.com and repository acme from contexo.json"
      )
      const config = { version: 1, server_url: "https://ctx.example.com", repo_id: "acme" }
      expect(JSON.parse(yield* here.read(".contexo/config.json"))).toEqual(config)
      expect(yield* here.exists(".contexo/credentials.json")).toBe(false)
      expect((yield* lines(here)).join()).not.toContain("contexo.json")
    })
  )

  it.scoped("takes no repository over beside another server, and overrides nothing", () =>
    Effect.gen(function* () {
      const here = yield* place
      yield* here.write("contexo.json", '{"server_url": "https://ctx.example.com", "repo_id": "acme"}')
      const cases = [
        ['{"server_url": "https://own.example.com"}', { server_url: "https://own.example.com" }],
        [
          '{"server_url": "https://CTX.example.com/"}',
          { version: 1, server_url: "https://CTX.example.com/", repo_id: "acme" }
        ],
        ['{"repo_id": "mine"}', { version: 1, server_url: "https://ctx.example.com", repo_id: "mine" }]
      ] as const
      for (const [before, after] of cases) {
        yield* here.write(".contexo/config.json", before)
        yield* run(here)
        expect(JSON.parse(yield* here.read(".contexo/config.json"))).toEqual(after)
      }
    })
  )
})

describe("where ctx init makes the project", () => {
  it.scoped("is the repository's top, from anywhere below it; with `here` the folder itself", () =>
    Effect.gen(function* () {
      const here = yield* place
      yield* here.makeFolder("app/.git")
      yield* here.makeFolder("app/src/deep")
      expect((yield* run(here, { cwd: here.at("app/src/deep"), here: true })).root).toBe(here.at("app/src/deep"))
      expect(yield* here.read("app/src/deep/.gitignore")).toContain(".contexo/")
      expect((yield* run(here, { cwd: here.at("app/src") })).root).toBe(here.at("app"))
      expect(yield* here.exists("app/src/.contexo")).toBe(false)
    })
  )

  it.scoped("is nowhere below an existing project, and the refusal says where that is (A18)", () =>
    Effect.gen(function* () {
      const here = yield* place
      yield* here.makeFolder("app/.git")
      yield* here.makeFolder("app/src")
      yield* run(here, { cwd: here.at("app") })
      const before = yield* here.everything
      const failure = yield* refusal(here, { cwd: here.at("app/src") })
      expect(failure._tag).toBe("InsideProject")
      expect(failure.message).toContain(`the project at ${here.at("app")}`)
      expect(failure.message).toContain("--here")
      expect(yield* here.everything).toEqual(before)
      expect((yield* run(here, { cwd: here.at("app/src"), here: true })).root).toBe(here.at("app/src"))
    })
  )

  it.scoped("is where --root or CONTEXO_ROOT say", () =>
    Effect.gen(function* () {
      const here = yield* place
      yield* here.makeFolder("app/.git")
      yield* here.makeFolder("app/one")
      yield* here.makeFolder("app/two")
      expect((yield* run(here, { cwd: here.at("app"), root: "one" })).root).toBe(here.at("app/one"))
      expect((yield* run(here, { cwd: here.at("app") }, { CONTEXO_ROOT: here.at("app/two") })).root).toBe(
        here.at("app/two")
      )
      const failure = yield* refusal(here, { root: "gone" })
      expect(failure.message).toContain(here.at("gone"))
      expect(yield* here.exists("gone")).toBe(false)
    })
  )

  it.scoped(
    "is the worktree's own top, with a word on what becomes of it, unless the main worktree has one (A19)",
    () =>
      Effect.gen(function* () {
        const here = yield* place
        yield* here.write("app/a.txt", "a")
        yield* here.git("app", "init", "-q")
        yield* here.git("app", "add", ".")
        yield* here.git("app", "commit", "-qm", "one")
        yield* here.git("app", "worktree", "add", "-q", "../wt")
        const { notes, root } = yield* run(here, { cwd: here.at("wt") })
        expect(root).toBe(here.at("wt"))
        expect(notes.join()).toContain(`run 'ctx init' in ${here.at("app")}`)
        yield* here.remove("wt/.contexo")
        yield* run(here, { cwd: here.at("app") })
        expect((yield* refusal(here, { cwd: here.at("wt") })).message).toContain(here.at("app"))
        expect((yield* run(here, { cwd: here.at("wt"), here: true })).root).toBe(here.at("wt"))
      })
  )
})

describe("what stands in the way of ctx init", () => {
  const cases: ReadonlyArray<readonly [name: string, prepare: (here: Place) => Effect.Effect<unknown>, says: string]> =
    [
      ["a corrupt .mcp.json", (here) => here.write(".mcp.json", '{"mcpServers": '), ".mcp.json"],
      [
        "an .mcp.json that is not UTF-8",
        (here) => here.write(".mcp.json", Uint8Array.of(0xff, 0xfe, 0x7b)),
        "not UTF-8"
      ],
      ["a corrupt .cursor/mcp.json", (here) => here.write(".cursor/mcp.json", "nope"), "mcp.json"],
      ["a corrupt contexo.json", (here) => here.write("contexo.json", "{"), "contexo.json"],
      ["a corrupt config.json", (here) => here.write(".contexo/config.json", "{"), "config.json"],
      ["a file named .contexo", (here) => here.write(".contexo", "x"), ".contexo"],
      ["a .gitignore that is not UTF-8", (here) => here.write(".gitignore", Uint8Array.of(0xff, 0xfe)), ".gitignore"],
      [
        "an .mcp.json that leads out of the project (A14)",
        (here) => Effect.zipRight(here.write("../outside.json", "{}"), here.link("../outside.json", ".mcp.json")),
        "leads out"
      ],
      [
        "a .cursor/ that leads out of the project (A14)",
        (here) => Effect.zipRight(here.makeFolder("../cursor"), here.link("../cursor", ".cursor")),
        "leads out"
      ],
      [
        "a wiki/ that leads out of the project (A14)",
        (here) =>
          Effect.all([
            here.makeFolder("../theirs"),
            here.makeFolder(".contexo"),
            here.link("../../theirs", ".contexo/wiki")
          ]),
        "leads out"
      ],
      [
        "a .contexo/ that leads out of the project (A14)",
        (here) => Effect.zipRight(here.makeFolder("../theirs"), here.link("../theirs", ".contexo")),
        "leads out"
      ],
      [
        "a .contexo/ that everybody may write in",
        (here) => Effect.zipRight(here.makeFolder(".contexo"), here.chmod(".contexo", 0o777)),
        "everybody may write"
      ]
    ]

  it.scoped.each(cases)("%s is named, and nothing at all is changed", ([, prepare, says]) =>
    Effect.gen(function* () {
      const outer = yield* place
      const here = outer.below("app")
      yield* here.makeFolder(".git")
      yield* outer.makeFolder("home/.cursor")
      yield* prepare(here)
      const before = yield* contents(outer)
      const failure = yield* refusal(here, {}, { HOME: outer.at("home") })
      expect(failure.message).toContain(says)
      expect(yield* contents(outer)).toEqual(before)
    })
  )
})

describe("what undoes ctx init", () => {
  const mine = '{\n\t"mcpServers": { } // mine\n}'

  it.scoped("is kept, and gives every foreign file its bytes back", () =>
    Effect.gen(function* () {
      const here = yield* place
      yield* here.makeFolder(".git")
      yield* here.makeFolder("home/.cursor")
      yield* here.write(".mcp.json", mine)
      yield* here.chmod(".mcp.json", 0o600)
      yield* here.write(".gitignore", "dist")
      yield* run(here)
      yield* run(here)
      expect(yield* here.mode(".mcp.json")).toBe(0o600)
      const undo = (file: string) =>
        Effect.map(stepsFor(here.at(".contexo"), file).pipe(Effect.provide(platform)), (steps) =>
          Option.fromNullable(steps[0])
        )
      expect(yield* takeOut(mcpServers, yield* here.read(".mcp.json"), yield* undo(".mcp.json"))).toEqual(
        Option.some(mine)
      )
      expect(yield* takeOut(mcpServers, yield* here.read(".cursor/mcp.json"), yield* undo(".cursor/mcp.json"))).toEqual(
        Option.none()
      )
      expect(Option.map(yield* undo(".cursor/mcp.json"), ({ madeFolder }) => madeFolder)).toEqual(Option.some(true))
      expect(yield* takeOut(ignoreLine, yield* here.read(".gitignore"), yield* undo(".gitignore"))).toEqual(
        Option.some("dist")
      )
      expect(yield* undo("other.json")).toEqual(Option.none())
    })
  )

  it.scoped("an .mcp.json that is a link inside the project stays one", () =>
    Effect.gen(function* () {
      const here = yield* place
      yield* here.write("config/mcp.json", "{}")
      yield* here.link("config/mcp.json", ".mcp.json")
      yield* run(here)
      expect(yield* here.isLink(".mcp.json")).toBe(true)
      expect(yield* here.read("config/mcp.json")).toContain("ctx-mcp")
    })
  )
})
