import { Command, FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { describe, expect, layer } from "@effect/vitest"
import { Chunk, Deferred, Effect, Option, Schema, Stream } from "effect"
import { PagePath } from "../../../src/model/page/PagePath.ts"
import type { Sha } from "../../../src/model/page/Sha.ts"
import { ServerStore } from "../../../src/services/server/ServerStore.ts"
import { layer as sqlite } from "../../../src/services/server/ServerStoreSqlite.ts"
import { open } from "../../../src/services/sqlite/SqliteDriver.ts"
import { PushAnswer, RepoId } from "../../../src/services/sync/SyncApi.ts"
import { textOf } from "../../services/server/fixtures.ts"
import { program } from "../../support/cli.ts"
import { request } from "./running.ts"

const Ready = Schema.parseJson(Schema.Struct({ url: Schema.String, owner_token: Schema.NullOr(Schema.String) }))

/** A server in a process of its own. */
const child = Effect.fnUntraced(function* (data: string) {
  const [file, ...args] = program("ctx")
  const process_ = yield* Command.start(Command.make(file, ...args, "serve", "--data", data, "--port", "0", "--json"))
  const line = yield* process_.stdout.pipe(Stream.decodeText(), Stream.splitLines, Stream.take(1), Stream.runCollect)
  const { owner_token, url } = yield* Schema.decode(Ready)(Chunk.join(line, ""))
  return { url, token: owner_token, kill: process_.kill("SIGKILL") }
})

const pushOne = (url: string, token: string, path: string, content: string, parent_sha: string | undefined) =>
  request(url, token, "POST", "/v1/repos/team/sync/push", { body: { files: [{ path, content, parent_sha }] } }).pipe(
    Effect.flatMap(({ text }) => Schema.decode(Schema.parseJson(PushAnswer))(text))
  )

interface Acknowledged {
  readonly path: PagePath
  readonly sha: Sha
  readonly text: string
}

/** Pushes version after version of one page until the server is gone, and tells of each that was acknowledged. */
const writer = (url: string, token: string, name: string, heard: (one: Acknowledged) => Effect.Effect<unknown>) =>
  Effect.gen(function* () {
    const path = PagePath.make(`wiki/concepts/${name}.md`)
    let parent: Sha | undefined
    for (let version = 0; ; version++) {
      const text = `${name} ${version}`
      const [pushed] = (yield* pushOne(url, token, path, text, parent)).pushed ?? []
      if (pushed === undefined) return
      yield* heard({ path, sha: pushed.sha, text })
      parent = pushed.sha
    }
  }).pipe(Effect.ignore)

describe("kill -9", () => {
  layer(NodeContext.layer, { excludeTestServices: true })((it) => {
    it.scoped(
      "of a server under load: every acknowledged push is in its history, and the chain of parents is whole",
      () =>
        Effect.gen(function* () {
          const data = yield* Effect.flatMap(FileSystem.FileSystem, (fs) => fs.makeTempDirectoryScoped())
          const acknowledged: Array<Acknowledged> = []
          let token = ""
          for (const round of [1, 2]) {
            const server = yield* child(data)
            token = server.token ?? token
            const enough = yield* Deferred.make<void>()
            const until = acknowledged.length + 40
            const heard = (one: Acknowledged) =>
              acknowledged.push(one) < until ? Effect.void : Deferred.succeed(enough, undefined)
            const writers = ["a", "b", "c", "d"].map((name) => writer(server.url, token, `${name}${round}`, heard))
            yield* Effect.all([Effect.zipRight(Deferred.await(enough), server.kill), ...writers], {
              concurrency: "unbounded"
            })
          }
          yield* Effect.gen(function* () {
            const store = yield* ServerStore
            const history = new Set((yield* store.commits(RepoId.make("team"), 100_000)).map(({ sha }) => sha))
            expect(acknowledged.filter(({ sha }) => !history.has(sha))).toEqual([])
            for (const { path, sha, text } of acknowledged) {
              const found = yield* store.versionAt(RepoId.make("team"), path, Option.some(sha))
              expect(Option.map(found, ({ version }) => Option.map(version.content, textOf))).toEqual(
                Option.some(Option.some(text))
              )
            }
          }).pipe(Effect.provide(sqlite(`${data}/server.db`)))
          const db = yield* open({ path: `${data}/server.db` })
          const broken = yield* db.all(
            `SELECT c.seq FROM commits c LEFT JOIN commits p ON p.repo_id = c.repo_id AND p.seq = c.seq - 1
           WHERE c.parent IS NOT p.sha`
          )
          const [row] = yield* db.all("SELECT COUNT(*) AS n, MAX(seq) AS last FROM commits")
          expect(broken).toEqual([])
          expect(row?.["n"]).toBe(row?.["last"])
        }),
      60_000
    )
  })
})
