import { contextRules } from "./SecretContexts.ts"
import { presetRules, presetTokens } from "./SecretPreset.ts"
import { runsOf } from "./SecretRuns.ts"
import type { SecretRule, Span } from "./SecretShape.ts"
import { tokenRules } from "./SecretTokens.ts"

/** A secret in a text: where, and which rule saw it. Never the secret itself. */
export interface SecretFinding extends Span {
  readonly rule: string
  /** From 1. */
  readonly line: number
}

/** Rules that want to see what stands around. The others know a token by itself. */
const wholeTextRules: ReadonlyArray<SecretRule> = [
  ...contextRules,
  ...presetRules.filter(({ id }) => !presetTokens.has(id))
]
const runRules: ReadonlyArray<SecretRule> = [...tokenRules, ...presetRules.filter(({ id }) => presetTokens.has(id))]

/** What rules there are, sorted: the names that a finding may have. */
export const secretRules: ReadonlyArray<string> = [
  ...new Set([...wholeTextRules, ...runRules].map(({ id }) => id))
].toSorted()

/**
 * The secrets in a text, in its order: what a maintained scanner knows (secretlint's recommended preset), and what that
 * misses (bearer tokens, addresses with passwords, newer providers, our own tokens).
 *
 * Pure, without Effect, and in time linear in the text, since a capture hook runs it on every turn.
 *
 * @param allowed rules that are not asked
 *
 * @example findSecrets("GET /\nAuthorization: Bearer eyJ...") // [{ rule: "bearer-token", line: 2, start, end }]
 *
 * Source: design.md rule 7; public case A42.
 */
export const findSecrets = (text: string, allowed: ReadonlyArray<string> = []): ReadonlyArray<SecretFinding> => {
  const asked = (rules: ReadonlyArray<SecretRule>, where: string) =>
    rules
      .filter(({ id }) => !allowed.includes(id))
      .flatMap(({ find, id }) => find(where).map((span) => ({ ...span, rule: id })))
  const runs = runsOf(text)
  const tokens = runs.text === "" ? [] : asked(runRules, runs.text)
  const found = [...tokens.map((one) => ({ ...one, ...runs.inWhole(one) })), ...asked(wholeTextRules, text)]
    .filter(({ end, start }) => end > start)
    .toSorted((a, b) => a.start - b.start || b.end - a.end)
  let line = 1
  let covered = 0
  let lineEnd = text.indexOf("\n")
  return found.flatMap((one) => {
    // What lies in another one is that one; of two rules that see the same, the one that knows whose token it is.
    if (one.end <= covered) return []
    covered = one.end
    for (; lineEnd !== -1 && lineEnd < one.start; lineEnd = text.indexOf("\n", lineEnd + 1)) line++
    return [{ ...one, line }]
  })
}

/**
 * The text with every secret replaced by `[redacted:<rule>]`. What was redacted once stays as it is.
 *
 * Whole texts only: cut after, never before, or half a secret is none and stays.
 */
export const redact = (text: string): string => {
  let done = ""
  let at = 0
  for (const { end, rule, start } of findSecrets(text)) {
    done += start < at ? "" : `${text.slice(at, start)}[redacted:${rule}]`
    at = end
  }
  return at === 0 ? text : done + text.slice(at)
}
