import type { HookAgent } from "./HookEvent.ts"
import { claude } from "./claude.ts"
import { codex } from "./codex.ts"
import type { TranscriptFormat } from "./Entry.ts"
import { gemini } from "./gemini.ts"
import { kimi } from "./kimi.ts"

/** How each host writes its transcripts. Cursor tells everything in its events, and more than in its transcript. */
export const formats: Readonly<Partial<Record<HookAgent, TranscriptFormat>>> = { claude, codex, gemini, kimi }
