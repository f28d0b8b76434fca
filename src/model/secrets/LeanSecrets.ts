import { contextRules } from "./SecretContexts.ts"
import { redacted, type RuleSet, scan } from "./SecretScan.ts"
import { mayHoldToken, tokenRules } from "./SecretTokens.ts"

const rules: RuleSet = { whole: contextRules, runs: [{ mayFind: mayHoldToken, rules: tokenRules }] }

/**
 * `redact` of `Secrets.ts` for the capture hook, which runs at every turn of every agent: our rules alone, which know every
 * kind that the preset knows, and a tenth of the code. What a buffer holds passes all rules again before anybody is shown it.
 */
export const redactLean = (text: string): string => redacted(text, scan(rules, text))
