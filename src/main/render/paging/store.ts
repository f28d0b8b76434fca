import type { Checked } from "../../../effects/paging/check.ts"
import { forAgentLine } from "../../../model/text/Sanitise.ts"

export interface Cleaned {
  readonly due: boolean
  readonly sessions: ReadonlyArray<string>
  readonly messages: number
  readonly pages: number
}

/** `ctx paging cleanup`. */
export const cleanupText = ({ due, messages, pages, sessions }: Cleaned): string =>
  due
    ? `deleted ${sessions.length} session(s) with ${messages} message(s) and ${pages} page(s)`
    : "not due: the last cleanup was within a day (--force cleans up now)"

/** `ctx paging check`. */
export const checkText = ({ damaged, index, integrity, messages, pages, repaired }: Checked): string => {
  const troubles = [
    ...damaged.map((row) => `${row}: its content is not what was put in`),
    ...integrity,
    ...index.map((line) => `${line}${repaired ? " (rebuilt)" : ""}`)
  ]
  const advice = index.length > 0 && !repaired ? ["'ctx paging check --repair' builds the index again."] : []
  return [
    `${messages} message(s) and ${pages} page(s) checked: ${troubles.length === 0 ? "all is well" : `${troubles.length} trouble(s)`}`,
    ...troubles.map((line) => `  ${forAgentLine(line)}`),
    ...advice
  ].join("\n")
}

export const checkJson = (checked: Checked) => ({
  ok: checked.damaged.length + checked.integrity.length + checked.index.length === 0,
  ...checked
})

export interface Counted {
  readonly database: string
  readonly file_bytes: number
  readonly content_bytes: number
  readonly sessions: number
  readonly messages: number
  readonly pages: number
  readonly by_role: Readonly<Record<string, number>>
  readonly by_kind: Readonly<Record<string, number>>
  readonly by_source: Readonly<Record<string, number>>
}

/** `ctx paging stats`. */
export const statsText = (counted: Counted): string =>
  [
    `${forAgentLine(counted.database)}: ${megabytes(counted.file_bytes)} for ${megabytes(counted.content_bytes)} of content`,
    `${counted.sessions} session(s)`,
    `${counted.messages} message(s)${list(counted.by_role)}`,
    `${counted.pages} page(s)${list(counted.by_kind)}`,
    ...(counted.messages === 0 ? [] : [`from${list(counted.by_source).replace(":", "")}`])
  ].join("\n")

const list = (counts: Readonly<Record<string, number>>): string => {
  const entries = Object.entries(counts)
  return entries.length === 0 ? "" : `: ${entries.map(([name, count]) => `${forAgentLine(name)} ${count}`).join(", ")}`
}

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`
