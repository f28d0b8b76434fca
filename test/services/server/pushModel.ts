import { expect, it } from "@effect/vitest"
import { Effect, FastCheck as fc, type Layer, Option } from "effect"
import { identityOf, PagePath } from "../../../src/model/page/PagePath.ts"
import type { Sha } from "../../../src/model/page/Sha.ts"
import type { ServerStore } from "../../../src/services/server/ServerStore.ts"
import { file, push, repo, textOf, unknownSha, withRepo } from "./fixtures.ts"

const paths = ["wiki/concepts/a.md", "wiki/concepts/A.md", "wiki/entities/b.md", "raw/sessions/c.md"].map((path) =>
  PagePath.make(path)
)

/** One page of a generated push. `parent` picks among: none, the page's head, an old commit, a foreign sha. */
const step = fc.record({
  path: fc.constantFrom(...paths),
  text: fc.option(fc.constantFrom("x", "y", "z"), { nil: undefined, freq: 4 }),
  parent: fc.constantFrom("none", "head", "old", "foreign")
})
const batches = fc.array(
  fc.uniqueArray(step, { selector: ({ path }) => identityOf(path), minLength: 1, maxLength: 3 }),
  {
    minLength: 1,
    maxLength: 12
  }
)

/** A page as the model knows it: `text` undefined is a tombstone. */
interface Held {
  readonly path: PagePath
  readonly sha: Sha
  readonly text: string | undefined
}

/** Pushes of random batches against the simplest thing that could be right: a map. */
export const pushModel = <E>(fresh: Layer.Layer<ServerStore, E>): void => {
  it.effect("random pushes do what a map with compare-and-swap does", () =>
    Effect.forEach(fc.sample(batches, { numRuns: 40, seed: 4848 }), (run) => Effect.provide(check(run), fresh), {
      discard: true
    })
  )
}

const check = (run: ReadonlyArray<ReadonlyArray<{ path: PagePath; text: string | undefined; parent: string }>>) =>
  Effect.gen(function* () {
    const store = yield* withRepo
    const model = new Map<string, Held>()
    const snapshots: Array<{ readonly sha: Sha; readonly pages: ReadonlyMap<string, Held> }> = []
    for (const batch of run) {
      const files = batch.map(({ parent, path, text }) => {
        const held = model.get(identityOf(path))
        const shas = { none: undefined, head: held?.sha, old: snapshots[0]?.sha, foreign: unknownSha }
        return { path, text, parent: Object.entries(shas).find(([kind]) => kind === parent)?.[1] }
      })
      const result = yield* push(...files.map(({ parent, path, text }) => file(path, text, parent)))
      const verdicts = files.map((one) => verdict(model.get(identityOf(one.path)), one))
      expect(result._tag).toBe(verdicts.includes("conflict") ? "Refused" : "Landed")
      if (result._tag === "Landed" && Option.isSome(result.head) && verdicts.includes("lands")) {
        const sha = result.head.value
        for (const [index, one] of files.entries()) {
          if (verdicts[index] === "lands") model.set(identityOf(one.path), { path: one.path, sha, text: one.text })
        }
        snapshots.push({ sha, pages: new Map(model) })
      }
    }
    const living = [...model.values()].filter(({ text }) => text !== undefined)
    const expected = living.map(({ path, sha }) => [path, sha]).toSorted()
    expect((yield* store.pages(repo)).map(({ path, sha }) => [path, sha])).toEqual(expected)
    for (const { path, text } of living) {
      expect(textOf(Option.getOrThrow(yield* store.page(repo, path)).content)).toBe(text)
    }
    expect((yield* store.commits(repo, 1000)).map(({ sha }) => sha)).toEqual(
      snapshots.map(({ sha }) => sha).toReversed()
    )
    for (const { pages, sha } of snapshots) yield* pulls(store, sha, pages, living)
  })

const verdict = (
  held: Held | undefined,
  { parent, path, text }: { path: PagePath; text: string | undefined; parent: Sha | undefined }
) => {
  if (held?.text === undefined) {
    if (text === undefined) return "same"
    return parent === undefined || parent === held?.sha ? "lands" : "conflict"
  }
  if (held.path !== path) return "conflict"
  if (held.text === text) return "same"
  return parent === held.sha ? "lands" : "conflict"
}

/** A clone that stood at a commit and applies the pull from there stands at the head. */
const pulls = Effect.fnUntraced(function* (
  store: Effect.Effect.Success<typeof withRepo>,
  sha: Sha,
  pages: ReadonlyMap<string, Held>,
  living: ReadonlyArray<Held>
) {
  const changes = Option.getOrThrow(yield* store.changes(repo, Option.some(sha), []))
  const clone = new Map<string, string>()
  for (const { path, text } of pages.values()) if (text !== undefined) clone.set(path, text)
  for (const { path } of changes.deleted) clone.delete(path)
  for (const { content, path } of changes.pages) clone.set(path, textOf(content))
  expect([...clone].toSorted()).toEqual(living.map(({ path, text }) => [path, text]).toSorted())
})
