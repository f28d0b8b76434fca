import { runsOf } from "./SecretRuns.ts"
import type { SecretRule, Span } from "./SecretShape.ts"

/** A secret in a text: where, and which rule saw it. Never the secret itself. */
export interface SecretFinding extends Span {
  readonly rule: string
  /** From 1. */
  readonly line: number
}

/** Rules of two kinds. */
export interface RuleSet {
  /** They want to see what stands around. */
  readonly whole: ReadonlyArray<SecretRule>
  /** They know a token by itself, and look at the runs of characters that can be one. */
  readonly runs: ReadonlyArray<{
    readonly mayFind: (runs: string) => boolean
    readonly rules: ReadonlyArray<SecretRule>
  }>
}

/** The secrets that some rules find in a text, in its order, but for those of rules that are allowed. Time linear in the text. */
export const scan = (
  rules: RuleSet,
  text: string,
  allowed: ReadonlyArray<string> = []
): ReadonlyArray<SecretFinding> => {
  const asked = (some: ReadonlyArray<SecretRule>, where: string) =>
    some.flatMap(({ find, id }) => find(where).map((span) => ({ ...span, rule: id })))
  const runs = runsOf(text)
  const tokens = rules.runs.flatMap((set) => (set.mayFind(runs.text) ? asked(set.rules, runs.text) : []))
  const found = [...tokens.map((one) => ({ ...one, ...runs.inWhole(one) })), ...asked(rules.whole, text)]
    .filter(({ end, start }) => end > start)
    .toSorted((a, b) => a.start - b.start || b.end - a.end)
  let line = 1
  let covered = 0
  let lineEnd = text.indexOf("\n")
  return found.flatMap((one) => {
    // What lies in another one is that one; of two rules that see the same, the one that knows whose token it is.
    if (one.end <= covered) return []
    covered = one.end
    // What is allowed is allowed for every rule that would see it.
    if (allowed.includes(one.rule)) return []
    for (; lineEnd !== -1 && lineEnd < one.start; lineEnd = text.indexOf("\n", lineEnd + 1)) line++
    return [{ ...one, line }]
  })
}

/** A text with what was found in it replaced by `[redacted:<rule>]`. */
export const redacted = (text: string, findings: ReadonlyArray<SecretFinding>): string => {
  let done = ""
  let at = 0
  for (const { end, rule, start } of findings) {
    done += start < at ? "" : `${text.slice(at, start)}[redacted:${rule}]`
    at = end
  }
  return at === 0 ? text : done + text.slice(at)
}
