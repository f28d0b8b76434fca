import { Effect, Layer } from "effect"
import { type PagePath, parsePagePath } from "../../../src/model/page/PagePath.ts"
import { Sha } from "../../../src/model/page/Sha.ts"
import { localStore } from "../../../src/services/LocalStore.ts"
import { PageStore } from "../../../src/services/page/PageStore.ts"
import { SyncState } from "../../../src/services/sync/SyncState.ts"
import { projectAt } from "./project.ts"

/** The stores of a project as one more process would have them. */
export const storesOf = (root: string) =>
  Effect.map(Layer.build(Layer.provide(localStore, projectAt(root))), (context) => ({
    pages: Effect.provide(PageStore, context),
    state: Effect.provide(SyncState, context)
  }))

export const pageStore = (root: string) => Effect.flatMap(storesOf(root), ({ pages }) => pages)
export const syncState = (root: string) => Effect.flatMap(storesOf(root), ({ state }) => state)

export const page = (path: string): PagePath => {
  const parsed = parsePagePath(path)
  if (parsed._tag === "None") throw new Error(`not a page path: ${path}`)
  return parsed.value
}

export const sha = (digit: string): Sha => Sha.make(digit.repeat(40))

/** A small valid page. */
export const text = (says: string): string =>
  `---\nschema: ctx.page.v1\nauthor: Ada\ncreated: 2026-01-02T03:04:05Z\nupdated: 2026-01-02T03:04:05Z\ntags:\n  - t\n---\n${says}\n`
