import type { Edit } from "./Edit.ts"
import { jsonHooks } from "./HookEntries.ts"
import type { HostId } from "./Hosts.ts"
import { tomlHooks } from "./TomlEntries.ts"

/**
 * The hooks that context paging wants in a host's settings: more events than capture of turns does, the same command.
 *
 * Source: context-paging.md, "Harness wiring"; paging.md 3 to 6.
 */
export const pagingHooks: Readonly<Partial<Record<HostId, Edit>>> = {
  claude: jsonHooks({
    agent: "claude",
    events: ["SessionStart", "UserPromptSubmit", "PostToolUse", "Stop", "SessionEnd"],
    layout: "groups",
    timeout: 30
  }),
  codex: jsonHooks({
    agent: "codex",
    events: ["SessionStart", "UserPromptSubmit", "PostToolUse", "Stop"],
    layout: "groups",
    timeout: 30
  }),
  cursor: jsonHooks({
    agent: "cursor",
    events: [
      "sessionStart",
      "beforeSubmitPrompt",
      "postToolUse",
      "postToolUseFailure",
      "afterAgentThought",
      "afterAgentResponse",
      "stop",
      "sessionEnd"
    ],
    layout: "flat",
    version: 1
  }),
  gemini: jsonHooks({
    agent: "gemini",
    events: ["SessionStart", "BeforeAgent", "AfterTool", "AfterAgent", "SessionEnd"],
    layout: "groups",
    timeout: 30_000
  }),
  kimi: tomlHooks("kimi", ["SessionStart", "UserPromptSubmit", "PostToolUse", "Stop", "SessionEnd"])
}
