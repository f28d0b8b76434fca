import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer, Option, TestClock } from "effect"
import { firstStart } from "../../../src/effects/server/firstStart.ts"
import { authenticate } from "../../../src/effects/server/authenticate.ts"
import { push } from "../../../src/effects/server/push.ts"
import { PagePath } from "../../../src/model/page/PagePath.ts"
import { ChangeSignal } from "../../../src/services/server/ChangeSignal.ts"
import { CurrentUser } from "../../../src/services/sync/CurrentUser.ts"
import { SecureRandom } from "../../../src/services/server/SecureRandom.ts"
import { ServerStore } from "../../../src/services/server/ServerStore.ts"
import { layer as sqlite } from "../../../src/services/server/ServerStoreSqlite.ts"
import { RepoId } from "../../../src/services/sync/SyncApi.ts"
import { command, file, landedSha } from "../../services/server/fixtures.ts"

const store = Layer.unwrapScoped(
  Effect.map(
    Effect.flatMap(FileSystem.FileSystem, (fs) => fs.makeTempDirectoryScoped()),
    (folder) => sqlite(`${folder}/server.db`)
  )
).pipe(Layer.merge(ChangeSignal.layer), Layer.provide(NodeContext.layer))

/** A user of the store, as whom an effect runs. */
const as = (id: string, name: string, email: string) => {
  const user = { id, name, email }
  return <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.flatMap(ServerStore, (stored) =>
      Effect.zipRight(Effect.ignore(stored.addUser(user)), Effect.provideService(effect, CurrentUser, user))
    )
}
const one = { files: [{ path: "wiki/concepts/a.md", content: "x" }] }
const newest = Effect.flatMap(ServerStore, (stored) =>
  Effect.map(stored.commits(RepoId.make("team"), 1), ([commit]) => commit)
)

describe("server operations", () => {
  it.effect("a commit is the authenticated user's, in whole seconds of the server's clock", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_767_225_600_999)
      const spoofed = { ...one, author_name: "Mallory", author_email: "m@evil.example", message: "  hello\nworld " }
      yield* as("u1", "Ana", "ana@example.com")(push("team", spoofed))
      expect(yield* newest).toMatchObject({
        author: "Ana",
        email: "ana@example.com",
        message: "hello world",
        time: "2026-01-01T00:00:00Z"
      })
    }).pipe(Effect.provide(store))
  )

  it.effect("a name that the sender gives counts only where the user has none, cleaned as git needs it", () =>
    Effect.gen(function* () {
      const named = { ...one, author_name: "Bob\n<x>", message: "" }
      yield* as("u2", "", "bob@example.com")(push("team", named))
      expect(yield* newest).toMatchObject({ author: "Bob x", email: "bob@example.com", message: "ctx push" })
    }).pipe(Effect.provide(store))
  )

  it.effect("a stranger's push is refused, and one that is wrong makes no repository", () =>
    Effect.gen(function* () {
      yield* as("u1", "Ana", "ana@example.com")(push("team", one))
      const refused = yield* Effect.flip(as("u2", "Bob", "bob@example.com")(push("team", one)))
      expect(refused._tag).toBe("NotAllowed")
      const wrong = { files: [{ path: "wiki/concepts/nul.md", content: "x" }] }
      expect((yield* Effect.flip(as("u1", "Ana", "ana@example.com")(push("other", wrong))))._tag).toBe("InvalidRequest")
      const stored = yield* ServerStore
      expect(yield* stored.standingOf(RepoId.make("other"), "u1")).toBe("no-such-repo")
    }).pipe(Effect.provide(store))
  )

  it.effect("a page whose name Windows cannot hold, and which exists, stays editable (A15)", () =>
    Effect.gen(function* () {
      const stored = yield* ServerStore
      const ana = as("u1", "Ana", "ana@example.com")
      yield* ana(push("team", { files: [] }))
      // As another server, or a server before this rule, may have left it.
      const path = PagePath.make("wiki/concepts/con.md")
      const parent = yield* Effect.flatMap(
        stored.push({ ...command([file(path, "x")]), repo: RepoId.make("team") }),
        landedSha
      )
      const edit = yield* ana(push("team", { files: [{ path, content: "y", parent_sha: parent }] }))
      expect(edit.landed).toBe(true)
    }).pipe(Effect.provide(store))
  )

  it.effect("the owner's token is made once, and opens the door", () =>
    Effect.gen(function* () {
      const token = Option.getOrThrow(yield* firstStart)
      expect(yield* firstStart).toEqual(Option.none())
      expect(yield* authenticate(Option.some(`Bearer ${token}`))).toMatchObject({
        name: "owner",
        email: "owner@localhost"
      })
    }).pipe(Effect.provide(Layer.merge(store, SecureRandom.layer)))
  )
})
