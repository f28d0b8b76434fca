import type { Either } from "effect"

/** What was looked at. */
export type Check =
  | "runtime"
  | "sqlite"
  | "trust"
  | "config"
  | "credentials"
  | "credentials-mode"
  | "gitignore"
  | "agents"
  | "lock"
  | "temporary-files"
  | "look-alike"
  | "pages"
  | "malformed-page"
  | "foreign-name"
  | "case-twin"
  | "indexes"
  | "links"
  | "state"
  | "bases"
  | "unknown-base"
  | "gone-here"
  | "awaiting-merge"
  | "proxy"
  | "server"
  | "clock"
  | "page-data"
  | "base-data"
  | "server-content"
  | "server-data"

/**
 * `note`: worth knowing. `warning`: something waits for somebody, or may surprise. `problem`: something does not work, or
 * is not safe, until it is put right.
 */
export type Level = "ok" | "note" | "warning" | "problem"

/** One thing that `ctx doctor` found. Texts may hold what a file or a server says: make them safe before showing them. */
export interface Finding {
  readonly check: Check
  readonly level: Level
  /** Relative to `.contexo/` for what lies in it, else absolute. */
  readonly path?: string
  readonly message: string
  /** What to do about it. */
  readonly fix?: string
}

type More = Pick<Finding, "path" | "fix">

const at =
  (level: Level) =>
  (check: Check, message: string, more: More = {}): Finding => ({ check, level, ...more, message })

export const ok = at("ok")
export const note = at("note")
export const warning = at("warning")
export const problem = at("problem")

/** Whether nothing needs to be put right. */
export const isHealthy = (findings: ReadonlyArray<Finding>): boolean =>
  findings.every(({ level }) => level !== "problem")

/** The failure of a file of ours as a finding, where there is one. */
export const failureOf = (
  check: Check,
  read: Either.Either<unknown, { readonly message: string }>,
  path: string
): ReadonlyArray<Finding> => (read._tag === "Right" ? [] : [problem(check, read.left.message, { path })])
