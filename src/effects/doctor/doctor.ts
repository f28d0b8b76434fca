import { Effect, Either, Option } from "effect"
import { Project } from "../../services/project/Project.ts"
import { checkTrust } from "../../services/project/ProjectTrust.ts"
import { agentFindings } from "./agents.ts"
import { leftoverFindings, lockFindings, lookAlikeFindings, settingsFindings } from "./files.ts"
import { linkFindings } from "./links.ts"
import { type Finding, isHealthy, ok, problem } from "./Finding.ts"
import { gitFindings } from "./git.ts"
import { pageFindings } from "./pages.ts"
import { dataFindings } from "./readData.ts"
import { runtimeFindings } from "./runtime.ts"
import { serverFindings } from "./server.ts"
import { syncFindings } from "./sync.ts"

export type { Check, Finding } from "./Finding.ts"
export { repair, type Repaired } from "./repair.ts"
export { doctorServerData } from "./serverData.ts"

export interface DoctorOptions {
  /** Read everything again: page files, bases, and the server's pages. */
  readonly readData?: boolean | undefined
}

/** What is odd about a project, and whether nothing in it needs to be put right. */
export interface Diagnosis {
  readonly findings: ReadonlyArray<Finding>
  readonly ok: boolean
}

/**
 * Looks at a project from all sides: what it runs on, settings, lock, pages, sync state and server. Nothing is changed.
 * A project that somebody else may have planted is not looked into.
 *
 * Errors: none; what cannot be looked at is a finding.
 *
 * @example
 * const { findings, ok } = yield* doctor({ readData: true })
 *
 * Source: issue 3, design.md rules 1, 2, 5, 8 and 11.
 */
export const doctor = Effect.fn("doctor")(function* (options: DoctorOptions = {}) {
  const { root } = yield* Project
  const runs = yield* runtimeFindings
  const trusted = yield* Effect.either(checkTrust(root))
  if (Either.isLeft(trusted))
    return diagnosis([...runs, problem("trust", trusted.left.message, { path: trusted.left.path })])

  const settings = yield* settingsFindings
  const pages = yield* pageFindings
  const sync = yield* syncFindings(pages.catalog)
  const served = Option.match(pages.catalog, { onNone: () => 0, onSome: ({ entries }) => entries.size })
  return diagnosis([
    ...runs,
    ok("trust", root),
    ...settings,
    ...(yield* gitFindings(settings.some(({ check, level }) => check === "credentials" && level === "ok"))),
    ...(yield* agentFindings),
    ...(yield* lockFindings),
    ...(yield* leftoverFindings),
    ...pages.findings,
    ...(Option.isSome(pages.catalog) ? yield* linkFindings(pages.catalog.value) : []),
    ...(Option.isSome(pages.catalog) ? yield* lookAlikeFindings(served) : []),
    ...sync.findings,
    ...(yield* serverFindings),
    ...(options.readData === true ? yield* dataFindings(pages.catalog, sync.snapshot) : [])
  ])
})

const diagnosis = (findings: ReadonlyArray<Finding>): Diagnosis => ({ findings, ok: isHealthy(findings) })
