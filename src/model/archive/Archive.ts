import { Schema } from "effect"
import type { PagePath } from "../page/PagePath.ts"

/** A page with its exact text. */
export interface PageText {
  readonly path: PagePath
  readonly text: string
}

/** What the first line of an archive says that it is. */
export const archiveFormat = "ctx-pages"

/** Grows where a reader of today would take the next shape for another thing than it is. A new field is no such change. */
export const archiveVersion = 1

/** An archive is read whole before anything is written: larger ones than this are refused. */
export const maxArchiveBytes = 256 * 1024 * 1024

/** The first line: every page, its size and the hash of its bytes. */
export const Manifest = Schema.Struct({
  record: Schema.Literal("manifest"),
  format: Schema.Literal(archiveFormat),
  version: Schema.Literal(archiveVersion),
  pages: Schema.Array(
    Schema.Struct({
      path: Schema.String,
      bytes: Schema.NonNegativeInt,
      sha256: Schema.String.pipe(Schema.pattern(/^[0-9a-f]{64}$/))
    })
  )
})
export type Manifest = typeof Manifest.Type

/** Each further line: a page, in the order of the first line. */
export const PageRecord = Schema.Struct({
  record: Schema.Literal("page"),
  path: Schema.String,
  content: Schema.String
})
export type PageRecord = typeof PageRecord.Type
