import { Effect, Either, Option } from "effect"
import type { DriftNotice } from "../../directives/DriftNotice.ts"
import { frame, provenanceBanner } from "../../directives/Banner.ts"
import { parsePage } from "../../model/page/Page.ts"
import type { PagePath } from "../../model/page/PagePath.ts"
import { forAgent, forAgentLine } from "../../model/text/Sanitise.ts"
import { byteLength, truncateBytes } from "../../model/text/Text.ts"
import { PageReads } from "../../services/page/PageReads.ts"
import { PageStore } from "../../services/page/PageStore.ts"
import { Drift } from "../sync/Drift.ts"
import { PageNotFound } from "./findPage.ts"

/** The exact bytes of a page, for people and programs. */
export const readPage = Effect.fn("readPage")(function* (path: PagePath) {
  const text = yield* (yield* PageStore).read(path)
  return yield* Option.match(text, { onNone: () => new PageNotFound({ slug: path }), onSome: Effect.succeed })
})

/** What an agent sees of a page. */
export interface FramedPage {
  readonly path: PagePath
  readonly text: string
  /** Where the rest begins, when the page did not fit: pass it as `offset`. */
  readonly nextOffset: Option.Option<number>
}

/** Room for the drift notice and the banner within the answer budget of rule 10. */
const pageBudget = 72_000

/**
 * A page as an agent reads it: drift notice, provenance banner, then the text made safe (rule 6), as much as fits from
 * `offset` (UTF-16 code units of the safe text).
 *
 * Source: agent-directives.md (DRIFT_NOTICE and the banner); reference.md 3.2, 3.3.
 */
export const readPageFramed = Effect.fn("readPageFramed")(function* (path: PagePath, offset = 0) {
  const raw = yield* readPage(path)
  const page = parsePage(path, raw)
  const safe = forAgent(raw)
  const start = Math.min(Math.max(0, offset), safe.length)
  const rest = safe.slice(start)
  const shown = byteLength(rest) <= pageBudget ? rest : truncateBytes(rest, pageBudget)
  const end = start + shown.length
  const complete = end >= safe.length
  yield* (yield* PageReads).saw(path, raw, { from: start, to: end, length: safe.length })
  const drift: Option.Option<DriftNotice> = start === 0 ? yield* (yield* Drift).check(path) : Option.none()
  const banner = provenanceBanner(
    Either.match(page, {
      onLeft: () => ({ author: "unknown" }),
      onRight: ({ author, agent }) => ({ author, ...(agent === undefined ? {} : { agent }) })
    })
  )
  const notes = [
    ...(Either.isLeft(page)
      ? [`[This page's frontmatter cannot be read: ${forAgentLine(page.left.reason)}. The text follows as it is.]`]
      : []),
    ...(start > 0 ? [`[Continued from offset ${start}.]`] : [])
  ]
  const tail = complete
    ? ""
    : `\n\n[${safe.length - end} more characters: read on with offset=${end} (ctx_read_page). The page must be read whole before it is written.]`
  const text = frame({
    ...(Option.isSome(drift) ? { drift: drift.value } : {}),
    banner,
    page: [...notes, shown].join("\n\n") + tail
  })
  return { path, text, nextOffset: complete ? Option.none() : Option.some(end) } satisfies FramedPage
})
