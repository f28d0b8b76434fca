import { Effect } from "effect"
import type { PagePath } from "../../src/model/page/PagePath.ts"
import { fetch, share } from "./acts.ts"
import { type Clone, pagesOn } from "./Clone.ts"
import type { History } from "./History.ts"
import { awaiting, clean, indexed } from "./inspect.ts"
import { type Drawing, merge } from "./steps.ts"

interface Settling {
  readonly clones: ReadonlyArray<Clone>
  readonly drawing: (clone: Clone) => Drawing
  readonly history: History
  readonly say: (line: string) => Effect.Effect<void>
}

/** More rounds than users who hand each other their merges could need. */
const patience = 12

/** Everybody merges what is asked, pushes and pulls, until nothing changes any more; then all must agree. */
export const settle = Effect.fnUntraced(function* ({ clones, drawing, history, say }: Settling) {
  for (let rounds = 1; rounds <= patience; rounds++) {
    let quiet = true
    for (const clone of clones) {
      for (let turn = 0; turn < 4; turn++) {
        const pushed = yield* share(drawing(clone), {})
        yield* say(`${clone.name}: push: ${pushed.word}`)
        if (pushed.word === "NothingToPush") break
        quiet = false
        for (const path of awaiting(clone).keys()) {
          const merged = yield* merge(drawing(clone), path, drawing(clone).marker(), false)
          yield* say(`${clone.name}: merge ${path}: ${merged.word}`)
        }
      }
      const pulled = yield* fetch(drawing(clone), true)
      yield* say(`${clone.name}: pull --full: ${pulled.word}`)
      if (pulled.word !== "up to date") quiet = false
    }
    if (quiet) return { rounds, wrong: disagreements(clones, history) }
  }
  return { rounds: patience, wrong: [`not quiet after ${patience} rounds`] }
})

const disagreements = (clones: ReadonlyArray<Clone>, history: History): ReadonlyArray<string> => {
  history.follow()
  const living = new Map<PagePath | string, string | null>()
  for (const [path, { content }] of history.heads) if (content !== null) living.set(path, clean(content))
  const { commits, pushes } = history.counts()
  return [
    ...(commits === pushes ? [] : [`${commits} commits for ${pushes} pushes`]),
    ...clones.flatMap((clone) => {
      const pages = pagesOn(clone)
      const paths = [...pages.keys()].toSorted()
      const differing = [...new Set([...living.keys(), ...paths])].filter(
        (path) => living.get(path) !== [...pages].filter(([one]) => one === path).map(([, text]) => clean(text))[0]
      )
      const listed = indexed(clone)
      return [
        ...differing.map((path) => `${clone.name}: ${path} is not what the server has`),
        ...(listed.join() === paths.join()
          ? []
          : [`${clone.name}: index.md lists ${listed.join()}, not ${paths.join()}`])
      ]
    })
  ]
}
