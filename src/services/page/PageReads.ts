import { Context, Effect, Layer, Option, Ref } from "effect"
import type { PagePath } from "../../model/page/PagePath.ts"

/** What this process last showed of a page. */
export interface PageRead {
  /** The exact text on disk when it was read. */
  readonly text: string
  /** Whether all of it has been shown. */
  readonly complete: boolean
}

/** A part `[from, to)` of a text that is `length` long as it was shown. */
export interface Shown {
  readonly from: number
  readonly to: number
  readonly length: number
}

/** Enough for any working set; the oldest read is forgotten first. */
const capacity = 512

/**
 * What this process has read, so that a later write neither overwrites what it never saw (a page read in part) nor what
 * somebody else wrote since (A32). Lives as long as the process; a command line tool starts with none.
 */
export class PageReads extends Context.Tag("ctx-mcp/PageReads")<
  PageReads,
  {
    readonly last: (path: PagePath) => Effect.Effect<Option.Option<PageRead>>
    /** Records that a part of `text`, or all of it, was shown or written. */
    readonly saw: (path: PagePath, text: string, part?: Shown) => Effect.Effect<void>
  }
>() {
  static readonly layer = Layer.effect(
    PageReads,
    Effect.map(
      Ref.make<ReadonlyMap<PagePath, { readonly text: string; readonly shownTo: number; readonly complete: boolean }>>(
        new Map()
      ),
      (reads) => ({
        last: (path) => Effect.map(Ref.get(reads), (map) => Option.fromNullable(map.get(path))),
        saw: (path, text, part = { from: 0, to: text.length, length: text.length }) =>
          Ref.update(reads, (map) => {
            const before = map.get(path)
            const known = before?.text === text ? before.shownTo : 0
            // A part counts only where it joins what was shown before it.
            const shownTo = part.from <= known ? Math.max(known, part.to) : known
            const next = new Map(map)
            next.delete(path)
            next.set(path, { text, shownTo, complete: shownTo >= part.length })
            const oldest = next.keys().next()
            if (next.size > capacity && oldest.done !== true) next.delete(oldest.value)
            return next
          })
      })
    )
  )
}
