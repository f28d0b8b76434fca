import { Context, Effect, Layer, Option, Ref } from "effect"
import type { PagePath } from "../model/PagePath.ts"

/** What this process last showed of a page. */
export interface PageRead {
  /** The exact text on disk when it was read. */
  readonly text: string
  /** How much of it has been shown so far, in UTF-16 code units from the start. */
  readonly shownTo: number
}

/** Enough for any working set; the oldest read is forgotten first. */
const capacity = 512

/**
 * What this process has read, so that a later write neither overwrites what it never saw (a page read in part) nor what
 * somebody else wrote since (A32). Lives as long as the process; a command line tool starts with none.
 */
export class PageReads extends Context.Tag("ctx-mcp/PageReads")<PageReads, {
  readonly last: (path: PagePath) => Effect.Effect<Option.Option<PageRead>>
  /** Records that `[from, to)` of `text` was shown. */
  readonly saw: (path: PagePath, text: string, from: number, to: number) => Effect.Effect<void>
}>() {
  static readonly layer = Layer.effect(
    PageReads,
    Effect.map(Ref.make<ReadonlyMap<PagePath, PageRead>>(new Map()), (reads) => ({
      last: (path) => Effect.map(Ref.get(reads), (map) => Option.fromNullable(map.get(path))),
      saw: (path, text, from, to) =>
        Ref.update(reads, (map) => {
          const before = map.get(path)
          const known = before?.text === text ? before.shownTo : 0
          const next = new Map(map)
          next.delete(path)
          next.set(path, { text, shownTo: from <= known ? Math.max(known, to) : known })
          const oldest = next.keys().next()
          if (next.size > capacity && oldest.done !== true) next.delete(oldest.value)
          return next
        })
    }))
  )
}
