import { Effect, Option } from "effect"
import { titleOf } from "../../model/page/IndexFiles.ts"
import { instantOf } from "../../model/text/Instant.ts"
import { pagePath, type PagePath, parsePagePath, slugOf, typeOf } from "../../model/page/PagePath.ts"
import type { PageType } from "../../model/page/PageType.ts"
import { forAgentLine } from "../../model/text/Sanitise.ts"
import { truncateBytes } from "../../model/text/Text.ts"
import { type CatalogEntry, PageStore } from "../../services/page/PageStore.ts"
import { invalidCursor, type ListParams, pageOf } from "./paging.ts"
import { pageMimeType, resources, typesOf } from "./Resources.ts"
import { internalError } from "./Rpc.ts"

/** What a listed page is said to be about, in bytes. */
const longest = 300

/**
 * `resources/list`: the two indexes, then every page in path order, a part at a time. A cursor is the path of the last page
 * shown, so that pages that come and go meanwhile put nothing out of step.
 *
 * Source: reference.md section 3; design.md section 5.
 */
export const listResources = Effect.fn("listResources")(function* (params: typeof ListParams.Type) {
  const cursor = params?.cursor
  const after = cursor === undefined ? Option.none<PagePath>() : parsePagePath(cursor)
  if (cursor !== undefined && Option.isNone(after)) return yield* invalidCursor
  const { entries } = yield* Effect.mapError((yield* PageStore).catalog, ({ message }) =>
    internalError(`mcp: ${message}`)
  )
  const left = [...entries].filter(
    ([path]) => !isShadowed(path, entries) && Option.match(after, { onNone: () => true, onSome: (last) => path > last })
  )
  const { nextCursor, shown } = pageOf(
    left.map(([path, entry]) => ({ path, listed: pageResource(path, entry) })),
    ({ path }) => path
  )
  return {
    resources: [...(cursor === undefined ? resources : []), ...shown.map(({ listed }) => listed)],
    ...(nextCursor === undefined ? {} : { nextCursor })
  }
})

const hostOf = (type: PageType) => (type === "source" ? "raw" : "wiki")

/** A read of its URI gives a page of another type, which has the same slug. */
const isShadowed = (path: PagePath, entries: ReadonlyMap<PagePath, CatalogEntry>): boolean => {
  const type = typeOf(path)
  const before = typesOf(hostOf(type)) ?? []
  return before.slice(0, before.indexOf(type)).some((earlier) => entries.has(pagePath(earlier, slugOf(path))))
}

const pageResource = (path: PagePath, { bytes, lead, page }: CatalogEntry) => {
  const slug = slugOf(path)
  const host = hostOf(typeOf(path))
  const says = forAgentLine(page.reasoningSummary ?? "") || forAgentLine(lead)
  return {
    uri: `ctx://${host}/${slug}`,
    name: slug,
    title: titleOf(slug),
    ...(says === "" ? {} : { description: truncateBytes(says, longest) }),
    mimeType: pageMimeType,
    size: bytes,
    annotations: {
      priority: host === "raw" ? 0.4 : 0.6,
      ...(Option.isSome(instantOf(page.updated)) ? { lastModified: page.updated } : {})
    }
  }
}
