import { splitHookContext } from "./hookContext.ts"
import { contentText, type Fields, fieldsOf, filledOf, given, listOf, stringOf } from "./Fields.ts"

export const hookAgents = ["claude", "codex", "cursor", "gemini", "kimi"] as const
/** The hosts whose hooks we serve. */
export type HookAgent = (typeof hookAgents)[number]

export const isHookAgent = (name: string): name is HookAgent => hookAgents.some((agent) => agent === name)

/**
 * What an event means for capture. `prompt`: the person said something. `reply`: the assistant's text is in the event.
 * `tool`: a tool was used. `end`: nothing more comes in this turn for now.
 */
export type HookPhase = "prompt" | "reply" | "tool" | "end" | "other"

/** An event of a host, as far as capture reads it. */
export interface HookEvent {
  readonly agent: HookAgent
  /** The event in the host's words, such as `Stop`. */
  readonly name: string
  readonly phase: HookPhase
  readonly session?: string
  /** Path of the transcript, where the host says it. */
  readonly transcript?: string
  /** Absolute folders that the event is about, the likeliest first. */
  readonly folders: ReadonlyArray<string>
  /** Ties the events of one turn together. */
  readonly turn?: string
  readonly prompt?: string
  /** The assistant's text that the event tells. */
  readonly reply?: string
  readonly tool?: string
  /** kimi-code, or kimi-cli, where the event tells which. */
  readonly client?: string
  /** It comes from inside a subagent, or another host runs this one's hooks: nothing to be done. */
  readonly foreign: boolean
}

/** Reads an event of any shape; what is missing or of another type is left out, and nothing is refused. */
export const decodeHookEvent = (agent: HookAgent, input: unknown): HookEvent => {
  const fields = fieldsOf(input) ?? {}
  const name = filledOf(fields["hook_event_name"]) ?? ""
  const typed = !("source" in fields) || fields["source"] === "user" || fields["source"] === "sdk"
  const told = typed && fields["prompt"] !== undefined ? contentText(fields["prompt"]) : undefined
  const prompt = told === undefined ? undefined : splitHookContext(told).said
  // Thoughts have a `text` too.
  const text = name === "afterAgentResponse" || name === "" ? stringOf(fields["text"]) : undefined
  const reply = stringOf(fields["last_assistant_message"]) ?? stringOf(fields["prompt_response"]) ?? text
  return {
    agent,
    name,
    phase: phaseOf(name, fields),
    ...given("session", filledOf(fields["session_id"]) ?? filledOf(fields["conversation_id"])),
    ...given("transcript", filledOf(fields["transcript_path"])),
    folders: [fields["cwd"], ...listOf(fields["workspace_roots"])].flatMap((folder) => filledOf(folder) ?? []),
    ...given("turn", filledOf(fields["prompt_id"]) ?? filledOf(fields["turn_id"]) ?? filledOf(fields["generation_id"])),
    ...given("prompt", prompt),
    ...given("reply", reply),
    ...given("tool", filledOf(fields["tool_name"])),
    ...given("client", filledOf(fields["client_type"])),
    foreign: filledOf(fields["agent_id"]) !== undefined || (agent !== "cursor" && "cursor_version" in fields)
  }
}

const phaseOf = (name: string, fields: Fields): HookPhase => {
  switch (name) {
    case "UserPromptSubmit":
    case "beforeSubmitPrompt":
    case "BeforeAgent":
      return "prompt"
    case "afterAgentResponse":
      return "reply"
    case "postToolUse":
    case "PostToolUse":
    case "postToolUseFailure":
    case "AfterTool":
      return "tool"
    case "Stop":
    case "StopFailure":
    case "SessionEnd":
    case "Interrupt":
    case "AfterAgent":
    case "stop":
    case "sessionEnd":
      return "end"
    case "":
      return "prompt" in fields && !("last_assistant_message" in fields) ? "prompt" : "end"
    default:
      return "other"
  }
}
