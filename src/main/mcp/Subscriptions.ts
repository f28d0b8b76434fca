import { Effect } from "effect"
import type { News } from "../../model/sync/ServerNews.ts"
import { Project } from "../../services/project/Project.ts"
import { fileStamp, sameFile } from "../../services/page/StoreWatch.ts"
import { resourceFiles } from "./Resources.ts"
import { internalError } from "./Rpc.ts"

/** More than this one client cannot want to follow. */
const most = 1_000

interface Followed {
  /** The files that a read of it may come from, relative to `.contexo/`. */
  readonly files: ReadonlyArray<string>
  /** What they showed last. */
  stamps: ReturnType<typeof stampsOf>
}

/** What one client wants to hear about: URIs, as it wrote them. */
export const makeSubscriptions = () => {
  const followed = new Map<string, Followed>()

  /** A page need not be there yet. */
  const add = Effect.fnUntraced(function* (uri: string) {
    const files = yield* resourceFiles(uri)
    const { contexo } = yield* Project
    if (followed.size >= most && !followed.has(uri)) {
      return yield* internalError(`mcp: more than ${most} subscriptions: unsubscribe from some`)
    }
    followed.set(uri, { files, stamps: stampsOf(contexo, files) })
  })

  const remove = (uri: string) => Effect.sync(() => void followed.delete(uri))

  /** Those of which the files changed since the last look. */
  const changedIn = (contexo: string): ReadonlyArray<string> =>
    [...followed].flatMap(([uri, one]) => {
      const before = one.stamps
      one.stamps = stampsOf(contexo, one.files)
      return one.stamps.every((stamp, index) => sameFile(stamp, before[index])) ? [] : [uri]
    })

  /** Those of which the server has news. */
  const concernedBy = ({ pages }: News): ReadonlyArray<string> =>
    [...followed].flatMap(([uri, { files }]) =>
      pages === "all" || files.some((file) => pages.has(file.toLowerCase())) ? [uri] : []
    )

  return { add, remove, changedIn, concernedBy }
}

export type Subscriptions = ReturnType<typeof makeSubscriptions>

const stampsOf = (contexo: string, files: ReadonlyArray<string>) => files.map((file) => fileStamp(contexo, file))
