import { Context, type Effect, type Option } from "effect"
import type { MalformedPage, Page } from "../../model/page/Page.ts"
import type { PagePath } from "../../model/page/PagePath.ts"
import type { FileFailure, LeavesStore } from "../files/FileFailure.ts"
import type { LockTimeout } from "../project/ProjectLock.ts"

/** What can go wrong on the disk. */
export type StoreFailure = FileFailure | LeavesStore

/** A page as the listing knows it: its fields without the body, and the hash of its bytes. */
export interface CatalogEntry {
  readonly page: Omit<Page, "body">
  /** SHA-256 of the file's bytes, hex: what a push compares with the base. */
  readonly hash: string
  readonly bytes: number
  /** First sentence of the body, for the index. */
  readonly lead: string
  /** Whether the text holds characters that rule 6 removes for agents. */
  readonly unsafe: boolean
}

/** A file in a page folder that is not a page, and why. One never hides the others. */
export interface Problem {
  /** Relative to `.contexo/`, with forward slashes. */
  readonly path: string
  readonly reason: string
}

/** Every page file of the four folders, in path order. */
export interface Catalog {
  readonly entries: ReadonlyMap<PagePath, CatalogEntry>
  readonly problems: ReadonlyArray<Problem>
}

/**
 * The pages on disk. Text goes in and comes out byte for byte (UTF-8, a BOM included). A file is replaced by
 * temporary file, fsync and rename, so a reader sees the old or the new content.
 */
export class PageStore extends Context.Tag("ctx-mcp/PageStore")<
  PageStore,
  {
    /** None where there is no such file. A file that is not UTF-8, or holds a NUL, is a `MalformedPage`. */
    readonly read: (path: PagePath) => Effect.Effect<Option.Option<string>, StoreFailure | MalformedPage>
    /** Creates or replaces. Call under the project lock when the content depends on what was read. */
    readonly write: (path: PagePath, text: string) => Effect.Effect<void, StoreFailure>
    /** A page that is not there is removed already. */
    readonly remove: (path: PagePath) => Effect.Effect<void, StoreFailure>
    /**
     * Runs many writes and removals that reach the disk together, at its end: ten times faster, and as safe where nothing
     * that vouches for them is written before it has ended.
     */
    readonly batch: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | FileFailure, R>
    /** The path on disk of the same page, whatever its case (identity is case-folded); None when there is none. */
    readonly find: (path: PagePath) => Effect.Effect<Option.Option<PagePath>, StoreFailure>
    /**
     * Those of some identities (`identityOf`) that are on disk; no page is read. `spelled-so`: only files whose names are in
     * lower case, which needs no listing of a folder that may hold thousands.
     */
    readonly existing: (
      identities: ReadonlySet<string>,
      which?: "spelled-so"
    ) => Effect.Effect<ReadonlySet<string>, FileFailure>
    /** What is on disk now. Only files whose stat changed since the last listing are read. */
    readonly catalog: Effect.Effect<Catalog, StoreFailure>
    /** Writes `index.md` and `tags.md` from the catalog, under the project lock. */
    readonly regenerateIndexes: Effect.Effect<void, StoreFailure | LockTimeout>
  }
>() {}
