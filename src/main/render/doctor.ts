import type { Diagnosis, Finding, Repaired } from "../../effects/doctor/doctor.ts"
import { forAgentLine } from "../../model/text/Sanitise.ts"

/** So many findings of one kind are shown; the rest are counted. */
const shown = 10

/**
 * What `ctx doctor` says: what was put right, then one line a finding, worst first within each check, with what to do
 * below it, and a last line that counts.
 */
export const doctorText = ({ findings, ok }: Diagnosis, repaired: ReadonlyArray<Repaired>): string => {
  const groups = Map.groupBy(findings, ({ check, level }) => `${check} ${level}`)
  return [
    ...repaired.map(({ done, message }) => `${done ? "fixed" : "could not fix"}: ${forAgentLine(message)}`),
    ...[...groups.values()].flatMap((group) => [
      ...group.slice(0, shown).flatMap(lines),
      ...(group.length > shown
        ? [`         ... and ${group.length - shown} more of these (--json lists them all)`]
        : [])
    ]),
    summary(findings, ok)
  ].join("\n")
}

const lines = ({ check, fix, level, message, path }: Finding): ReadonlyArray<string> => [
  `${level.padEnd(8)} ${check}: ${path === undefined ? "" : `${forAgentLine(path)}: `}${forAgentLine(message)}`,
  ...(fix === undefined ? [] : [`         -> ${forAgentLine(fix)}`])
]

const summary = (findings: ReadonlyArray<Finding>, ok: boolean): string => {
  const count = (level: Finding["level"]) => findings.filter((one) => one.level === level).length
  return ok
    ? `No problems (${count("warning")} warning(s), ${count("note")} note(s))`
    : `${count("problem")} problem(s), ${count("warning")} warning(s), ${count("note")} note(s)`
}

/** `ctx doctor --json`; `fixed` with `--fix`. */
export const doctorJson = ({ findings, ok }: Diagnosis, repaired?: ReadonlyArray<Repaired>) => ({
  findings,
  ok,
  ...(repaired === undefined ? {} : { fixed: repaired.filter(({ done }) => done).map(({ message }) => message) })
})
