import { Effect, Option } from "effect"
import { decodeUtf8 } from "../../model/Utf8.ts"
import { ServerStore, StoreUnavailable } from "../../services/server/ServerStore.ts"
import { authorise } from "./authorise.ts"
import { NotFound } from "./errors.ts"
import { requirePagePath } from "./pagePath.ts"

/** The living pages of a repository by path, each with the commit that last touched it. */
export const listPages = Effect.fn("server.listPages")(function* (repo: string) {
  const id = yield* authorise(repo, "read")
  return yield* (yield* ServerStore).pages(id)
})

/** One living page, byte for byte, and its sha. */
export const readPage = Effect.fn("server.readPage")(function* (repo: string, path: string) {
  const id = yield* authorise(repo, "read")
  const at = yield* requirePagePath(path)
  const page = yield* (yield* ServerStore).page(id, at)
  return yield* Effect.mapError(page, () => new NotFound({ what: `page ${at}` }))
})

/** The newest commits of a repository first. */
export const timeline = Effect.fn("server.timeline")(function* (repo: string, limit: number) {
  const id = yield* authorise(repo, "read")
  return yield* (yield* ServerStore).commits(id, limit)
})

/** The text of stored content. Only what is UTF-8 is ever stored. */
export const textOf = (content: Uint8Array): Effect.Effect<string, StoreUnavailable> =>
  Option.match(decodeUtf8(content), {
    onNone: () => new StoreUnavailable({ reason: "stored content is not UTF-8" }),
    onSome: Effect.succeed
  })
