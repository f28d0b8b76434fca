/** Driver of the scanner for secrets: its rules are loaded when there is text to look at, and not at a start. */
import { Effect } from "effect"

/** `findSecrets` and `redact`. */
export const loadSecrets = Effect.promise(() => import("../../model/secrets/Secrets.ts"))
