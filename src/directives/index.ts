import { Schema } from "effect"
import { CaptureTemplate } from "./CaptureTemplate.ts"
import { DriftNotice } from "./DriftNotice.ts"
import { GenerateCatalog } from "./GenerateCatalog.ts"
import { GenerateResume } from "./GenerateResume.ts"
import { MergeRequired } from "./MergeRequired.ts"
import { MigrateCatalog } from "./MigrateCatalog.ts"
import { MigrateResume } from "./MigrateResume.ts"
import { PushPaused } from "./PushPaused.ts"

export { frame, provenanceBanner } from "./Banner.ts"
export { ConflictedFile } from "./MergeRequired.ts"
export {
  CaptureTemplate,
  DriftNotice,
  GenerateCatalog,
  GenerateResume,
  MergeRequired,
  MigrateCatalog,
  MigrateResume,
  PushPaused
}

/** Any of the eight blocks. */
export const Directive = Schema.Union(
  PushPaused,
  MergeRequired,
  DriftNotice,
  MigrateCatalog,
  MigrateResume,
  GenerateCatalog,
  GenerateResume,
  CaptureTemplate
)
export type Directive = typeof Directive.Type

/** The text of a directive: what an agent gets as the whole answer of a tool (or, DRIFT_NOTICE, above a page). */
export const render = (directive: Directive): string => directive.render()
