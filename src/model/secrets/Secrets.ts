import { contextRules } from "./SecretContexts.ts"
import { presetRules, presetTokens } from "./SecretPreset.ts"
import { redacted, type RuleSet, scan, type SecretFinding } from "./SecretScan.ts"
import { mayHoldToken, tokenRules } from "./SecretTokens.ts"

const rules: RuleSet = {
  whole: [...contextRules, ...presetRules.filter(({ id }) => !presetTokens.has(id))],
  runs: [
    { mayFind: mayHoldToken, rules: tokenRules },
    { mayFind: (runs) => runs !== "", rules: presetRules.filter(({ id }) => presetTokens.has(id)) }
  ]
}

/** The names that a finding may have, sorted. */
export const secretRules: ReadonlyArray<string> = [
  ...new Set([rules.whole, ...rules.runs.map((set) => set.rules)].flatMap((some) => some.map(({ id }) => id)))
].toSorted()

/**
 * The secrets in a text, in its order: what a maintained scanner knows (secretlint's recommended preset), and what that
 * misses (bearer tokens, addresses with passwords, newer providers, our own tokens). Pure, in time linear in the text.
 *
 * @param allowed rules whose findings are left out
 *
 * @example findSecrets("GET /\nAuthorization: Bearer eyJ...") // [{ rule: "bearer-token", line: 2, start, end }]
 *
 * Source: design.md rule 7; public case A42.
 */
export const findSecrets = (text: string, allowed?: ReadonlyArray<string>): ReadonlyArray<SecretFinding> =>
  scan(rules, text, allowed)

/**
 * The text with every secret replaced by `[redacted:<rule>]`. What was redacted once stays as it is.
 *
 * Whole texts only: cut after, never before, or half a secret is none and stays.
 */
export const redact = (text: string): string => redacted(text, findSecrets(text))
