import { FileSystem } from "@effect/platform"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Either, Layer, Option } from "effect"
import { discover, type Where } from "../../../src/services/project/ProjectDiscovery.ts"
import { freshPlace, platform, withEnvironment } from "../../support/place.ts"

/** The root that is found, or the name of what was refused. */
const rootFor = (where: Where, environment: Readonly<Record<string, string>> = {}) =>
  discover(where).pipe(
    Effect.either,
    Effect.map(Either.match({ onLeft: ({ _tag }) => _tag, onRight: ({ root }) => root })),
    withEnvironment(environment),
    Effect.provide(platform)
  )

const place = Effect.provide(freshPlace, platform)

/** A repository `app` with one commit. */
const withRepository = Effect.gen(function* () {
  const here = yield* place
  yield* here.write("app/src/deep/a.txt", "a")
  yield* here.git("app", "init", "-q")
  yield* here.git("app", "add", ".")
  yield* here.git("app", "commit", "-qm", "one")
  return here
})

describe("discovery", () => {
  it.scoped("finds the nearest folder with .contexo/ at or above the current one, a nested project first (A18)", () =>
    Effect.gen(function* () {
      const here = yield* place
      yield* here.makeFolder("app/.contexo")
      yield* here.makeFolder("app/packages/one/.contexo")
      yield* here.makeFolder("app/packages/one/src")
      yield* here.makeFolder("app/packages/two")
      expect(yield* rootFor({ cwd: here.at("app") })).toBe(here.at("app"))
      expect(yield* rootFor({ cwd: here.at("app/packages/two") })).toBe(here.at("app"))
      expect(yield* rootFor({ cwd: here.at("app/packages/one/src") })).toBe(here.at("app/packages/one"))
      expect(yield* rootFor({ cwd: here.folder })).toBe("NotInProject")
    })
  )

  it.scoped("ends at the top of the repository, whether .git is a folder or a submodule's file", () =>
    Effect.gen(function* () {
      const here = yield* place
      yield* here.makeFolder(".contexo")
      yield* here.makeFolder("repository/.git")
      yield* here.makeFolder("repository/src")
      yield* here.write("submodule/.git", "gitdir: ../repository/.git/modules/submodule\n")
      yield* here.makeFolder("plain")
      expect(yield* rootFor({ cwd: here.at("repository/src") })).toBe("NotInProject")
      expect(yield* rootFor({ cwd: here.at("submodule") })).toBe("NotInProject")
      expect(yield* rootFor({ cwd: here.at("plain") })).toBe(here.folder)
    })
  )

  it.scoped("counts a project at the repository's top itself", () =>
    Effect.gen(function* () {
      const here = yield* withRepository
      yield* here.makeFolder("app/.contexo")
      expect(yield* rootFor({ cwd: here.at("app/src/deep") })).toBe(here.at("app"))
    })
  )

  it.scoped("does not take a file named .contexo, or a link that leads nowhere, for a project", () =>
    Effect.gen(function* () {
      const here = yield* place
      yield* here.makeFolder(".contexo")
      yield* here.write("one/.contexo", "no folder")
      yield* here.makeFolder("two")
      yield* here.link("gone", "two/.contexo")
      expect(yield* rootFor({ cwd: here.at("one") })).toBe(here.folder)
      expect(yield* rootFor({ cwd: here.at("two") })).toBe(here.folder)
    })
  )

  it.scoped("--root, then CONTEXO_ROOT, name the folder and no other", () =>
    Effect.gen(function* () {
      const here = yield* place
      for (const name of ["one", "two", "three"]) yield* here.makeFolder(`${name}/.contexo`)
      yield* here.makeFolder("one/sub")
      const cwd = here.at("one")
      expect(yield* rootFor({ cwd }, { CONTEXO_ROOT: here.at("two") })).toBe(here.at("two"))
      expect(yield* rootFor({ cwd, root: "../three" }, { CONTEXO_ROOT: here.at("two") })).toBe(here.at("three"))
      expect(yield* rootFor({ cwd }, { CONTEXO_ROOT: "  " })).toBe(here.at("one"))
      expect(yield* rootFor({ cwd, root: "sub" })).toBe("NotInProject")
      expect(yield* rootFor({ cwd, root: "gone" })).toBe("NotInProject")
    })
  )

  it.scoped("gives one project one root, whichever link a command came through", () =>
    Effect.gen(function* () {
      const here = yield* place
      yield* here.makeFolder("app/.contexo")
      yield* here.makeFolder("app/src")
      yield* here.link("app/src", "short")
      expect(yield* rootFor({ cwd: here.at("short") })).toBe(here.at("app"))
      yield* here.link("app", "named")
      expect(yield* rootFor({ cwd: here.folder, root: "named" })).toBe(here.at("app"))
    })
  )

  it.scoped("creates nothing", () =>
    Effect.gen(function* () {
      const here = yield* withRepository
      yield* here.makeFolder("app/.contexo")
      const before = yield* here.everything
      yield* rootFor({ cwd: here.at("app/src") })
      yield* rootFor({ cwd: here.at("app"), root: "elsewhere" })
      expect(yield* here.everything).toEqual(before)
    })
  )
})

describe("a linked git worktree (A19)", () => {
  it.scoped("has its own .contexo/ if there is one, else the main worktree's, and that survives its removal", () =>
    Effect.gen(function* () {
      const here = yield* withRepository
      yield* here.git("app", "worktree", "add", "-q", "../wt")
      expect(yield* rootFor({ cwd: here.at("wt") })).toBe("NotInProject")
      yield* here.makeFolder("app/.contexo")
      expect(yield* rootFor({ cwd: here.at("wt/src/deep") })).toBe(here.at("app"))
      yield* here.makeFolder("wt/.contexo")
      expect(yield* rootFor({ cwd: here.at("wt/src/deep") })).toBe(here.at("wt"))
      yield* here.git("app", "worktree", "remove", "--force", "../wt")
      expect(yield* rootFor({ cwd: here.at("app") })).toBe(here.at("app"))
    })
  )

  it.scoped("looks in the same folder of the main worktree first", () =>
    Effect.gen(function* () {
      const here = yield* withRepository
      yield* here.git("app", "worktree", "add", "-q", "../wt")
      yield* here.makeFolder("app/.contexo")
      yield* here.makeFolder("app/src/.contexo")
      yield* here.makeFolder("wt/only/here")
      expect(yield* rootFor({ cwd: here.at("wt/src/deep") })).toBe(here.at("app/src"))
      expect(yield* rootFor({ cwd: here.at("wt") })).toBe(here.at("app"))
      expect(yield* rootFor({ cwd: here.at("wt/only/here") })).toBe(here.at("app"))
    })
  )

  it.scoped("may be named with relative paths, as newer git writes them", () =>
    Effect.gen(function* () {
      const here = yield* withRepository
      yield* here.git("app", "worktree", "add", "-q", "../wt")
      yield* here.makeFolder("app/.contexo")
      yield* here.write("wt/.git", "gitdir: ../app/.git/worktrees/wt\n")
      yield* here.write("app/.git/worktrees/wt/gitdir", "../../../../wt/.git\n")
      expect(yield* rootFor({ cwd: here.at("wt") })).toBe(here.at("app"))
    })
  )

  it.scoped("of a submodule has the submodule's", () =>
    Effect.gen(function* () {
      const here = yield* withRepository
      yield* here.makeFolder("super")
      yield* here.git("super", "init", "-q")
      yield* here.git("super", "submodule", "--quiet", "add", here.at("app"), "lib")
      yield* here.git("super/lib", "worktree", "add", "-q", here.at("wt"))
      yield* here.makeFolder("super/.contexo")
      expect(yield* rootFor({ cwd: here.at("wt") })).toBe("NotInProject")
      yield* here.makeFolder("super/lib/.contexo")
      expect(yield* rootFor({ cwd: here.at("wt") })).toBe(here.at("super/lib"))
    })
  )

  it.scoped("of a bare repository has no main worktree", () =>
    Effect.gen(function* () {
      const here = yield* withRepository
      yield* here.git(".", "clone", "-q", "--bare", "app", "bare.git")
      yield* here.git("bare.git", "worktree", "add", "-q", "../wt")
      yield* here.makeFolder(".contexo")
      expect(yield* rootFor({ cwd: here.at("wt") })).toBe("NotInProject")
    })
  )

  it.scoped("is believed only where the repository names it in turn: a planted .git file opens nobody's project", () =>
    Effect.gen(function* () {
      const here = yield* withRepository
      yield* here.git("app", "worktree", "add", "-q", "../wt")
      yield* here.makeFolder("app/.contexo")
      yield* here.write("planted/.git", `gitdir: ${here.at("app/.git/worktrees/wt")}\n`)
      expect(yield* rootFor({ cwd: here.at("planted") })).toBe("NotInProject")
      yield* here.write("forged/.git", "gitdir: fake/worktrees/x\n")
      yield* here.write("forged/fake/worktrees/x/commondir", `${here.at("app/.git")}\n`)
      yield* here.write("forged/fake/worktrees/x/gitdir", `${here.at("forged/.git")}\n`)
      expect(yield* rootFor({ cwd: here.at("forged") })).toBe("NotInProject")
    })
  )

  it.scoped.each(["", "nonsense", "gitdir: ", "gitdir: nowhere\n", "gitdir: .\n"])(
    "whose .git file says %j is a folder of its own",
    (text) =>
      Effect.gen(function* () {
        const here = yield* place
        yield* here.makeFolder(".contexo")
        yield* here.write("wt/.git", text)
        expect(yield* rootFor({ cwd: here.at("wt") })).toBe("NotInProject")
      })
  )
})

/** The words of a refusal. */
const refusal = (where: Where, environment: Readonly<Record<string, string>> = {}) =>
  discover(where).pipe(
    Effect.flip,
    Effect.map(({ message }) => message),
    withEnvironment(environment)
  )

/** The disk, on which everything belongs to somebody. */
const ownedBy = (uid: number) =>
  Layer.merge(
    platform,
    Layer.effect(
      FileSystem.FileSystem,
      Effect.map(FileSystem.FileSystem, (fs) => ({
        ...fs,
        stat: (path: string) => Effect.map(fs.stat(path), (info) => ({ ...info, uid: Option.some(uid) }))
      }))
    ).pipe(Layer.provide(platform))
  )

describe("trust", () => {
  it.scoped("is refused to a .contexo/ that everybody may write in", () =>
    Effect.gen(function* () {
      const here = yield* place
      yield* here.makeFolder(".contexo")
      yield* here.chmod(".contexo", 0o777)
      const message = yield* Effect.provide(refusal({ cwd: here.folder }), platform)
      expect(message).toContain(here.at(".contexo"))
      expect(message).toContain("everybody may write")
      expect(message).toContain(`CONTEXO_SAFE_DIR=${here.at(".contexo")}`)
      expect(yield* rootFor({ cwd: here.folder }, { CONTEXO_SAFE_DIR: here.at(".contexo") })).toBe(here.folder)
      expect(yield* rootFor({ cwd: here.folder }, { CONTEXO_SAFE_DIR: `${here.folder}/` })).toBe(here.folder)
      expect(yield* rootFor({ cwd: here.folder }, { CONTEXO_SAFE_DIR: here.at("other") })).toBe("UntrustedProject")
      yield* here.chmod(".contexo", 0o775)
      expect(yield* rootFor({ cwd: here.folder })).toBe(here.folder)
    })
  )

  it.scoped("is refused to somebody else's .contexo/, and given to root's", () =>
    Effect.gen(function* () {
      const here = yield* place
      yield* here.makeFolder(".contexo")
      const stranger = 4_000_000
      const message = yield* Effect.provide(refusal({ cwd: here.folder }), ownedBy(stranger))
      expect(message).toContain(`it belongs to user ${stranger}`)
      const found = yield* discover({ cwd: here.folder }).pipe(withEnvironment({}), Effect.provide(ownedBy(0)))
      expect(found.root).toBe(here.folder)
    })
  )

  it.scoped("is refused to a .contexo/ that leads out of the project (A14), and given to one that stays inside", () =>
    Effect.gen(function* () {
      const here = yield* place
      yield* here.makeFolder("elsewhere")
      yield* here.makeFolder("app/docs/knowledge")
      yield* here.link("../elsewhere", "app/.contexo")
      const message = yield* Effect.provide(refusal({ cwd: here.at("app") }), platform)
      expect(message).toContain(`leads out, to ${here.at("elsewhere")}`)
      expect(yield* rootFor({ cwd: here.at("app") }, { CONTEXO_SAFE_DIR: here.at("app") })).toBe(here.at("app"))
      yield* here.makeFolder("web/docs/knowledge")
      yield* here.link("docs/knowledge", "web/.contexo")
      expect(yield* rootFor({ cwd: here.at("web") })).toBe(here.at("web"))
    })
  )
})
