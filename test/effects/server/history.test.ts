import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { describe, expect, it } from "@effect/vitest"
import { type Duration, Effect, Layer, TestClock } from "effect"
import { diffPage } from "../../../src/effects/server/diffPage.ts"
import { evolution, type EvolutionQuery } from "../../../src/effects/server/history.ts"
import type { Sha } from "../../../src/model/page/Sha.ts"
import { CurrentUser } from "../../../src/services/sync/CurrentUser.ts"
import { ServerStore } from "../../../src/services/server/ServerStore.ts"
import { layer as sqlite } from "../../../src/services/server/ServerStoreSqlite.ts"
import { ana, land, path, repo, withRepo } from "../../services/server/fixtures.ts"

const store = Layer.unwrapScoped(
  Effect.map(
    Effect.flatMap(FileSystem.FileSystem, (fs) => fs.makeTempDirectoryScoped()),
    (folder) => sqlite(`${folder}/server.db`)
  )
).pipe(Layer.provide(NodeContext.layer))

const versions = 20
/** Twenty versions of a page, each of which adds a section. */
const grown = Effect.gen(function* () {
  yield* withRepo
  const shas: Array<Sha> = []
  let text = "---\ntype: concept\n---\n"
  for (let n = 0; n < versions; n++) {
    text += `## S${n}\n\ntext\n\n`
    shas.push(yield* land(path, text, shas.at(-1)))
  }
  return shas
})

/** A store that takes so long over each text. */
const slow =
  (each: Duration.DurationInput) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.updateService(effect, ServerStore, (quick) => ({
      ...quick,
      contentAt: (...which) => Effect.zipRight(TestClock.adjust(each), quick.contentAt(...which))
    }))

/** All pages of an evolution's answer. */
const whole = Effect.fnUntraced(function* (query: EvolutionQuery) {
  const pages: Array<ReadonlyArray<string>> = []
  for (let cursor: string | undefined = ""; cursor !== undefined;) {
    const answer: Effect.Effect.Success<ReturnType<typeof evolution>> = yield* evolution(repo, path, {
      ...query,
      cursor
    })
    pages.push(answer.entries.map(({ commit }) => commit.sha))
    cursor = "next_cursor" in answer ? answer.next_cursor : undefined
  }
  return pages
})

const test = <E>(name: string, run: Effect.Effect<void, E, ServerStore | CurrentUser>) =>
  it.effect(name, () => run.pipe(Effect.provideService(CurrentUser, ana), Effect.provide(store)))

describe("a store that takes its time", () => {
  test(
    "cuts an evolution short after ten seconds; its cursor goes on, and every commit is told once",
    Effect.gen(function* () {
      const newestFirst = (yield* grown).toReversed()
      const pages = yield* slow("1 second")(whole({ limit: versions }))
      expect(pages.map((page) => page.length)).toEqual([10, 10])
      expect(pages.flat()).toEqual(newestFirst)
    })
  )

  test(
    "never stops an evolution: each answer tells one commit at least",
    Effect.gen(function* () {
      const newestFirst = (yield* grown).toReversed()
      const pages = yield* slow("1 minute")(whole({ limit: versions, lines: "false" }))
      expect(pages.every((page) => page.length === 1)).toBe(true)
      expect(pages.flat()).toEqual(newestFirst)
    })
  )

  test(
    "ends blame after six seconds: what came later has no commit, and what has one has the right one",
    Effect.gen(function* () {
      const shas = yield* grown
      const query = { from: shas[0], to: shas.at(-1), blame: "true" }
      const { sections } = yield* slow("1 second")(diffPage(repo, path, query))
      const introduced = sections?.map(({ introduced_by }) => introduced_by?.sha)
      expect(introduced).toEqual(shas.map((sha, n) => (n < 7 ? sha : undefined)))
      const patient = yield* diffPage(repo, path, query)
      expect(patient.sections?.map(({ introduced_by }) => introduced_by?.sha)).toEqual(shas)
    })
  )
})
