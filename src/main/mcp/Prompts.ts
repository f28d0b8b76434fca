import type { Effect } from "effect"
import type { Prompt } from "./Prompt.ts"
import { distill } from "./prompts/distill.ts"
import { merge } from "./prompts/merge.ts"
import { onboard } from "./prompts/onboard.ts"

const all = [onboard, distill, merge]

type Needs = Effect.Effect.Context<ReturnType<(typeof all)[number]["get"]>>

/** Every prompt, in the order in which clients list them. */
export const prompts: ReadonlyArray<Prompt<Needs>> = all
