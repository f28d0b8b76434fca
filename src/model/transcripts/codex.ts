import {
  type Entry,
  type EntryRole,
  type Held,
  type Line,
  malformed,
  nothing,
  type Parsed,
  type TranscriptFormat,
  unknownLine
} from "./Entry.ts"
import { contentText, type Fields, fieldsOf, filledOf, given, jsonText, objectsOf, stringOf, timeOf } from "./Fields.ts"
import { parseFields } from "./JsonLineDriver.ts"

/**
 * Codex: `~/.codex/sessions/YYYY/MM/DD/rollout-*-<session>.jsonl`. Texts stand there twice, as items and as events: the
 * items count. Only reasoning is taken from an event, where the item that follows holds it encrypted.
 */
export const codex: TranscriptFormat = (line, held) => {
  const fields = parseFields(line.text)
  if (fields === undefined) return { ...(line.text.trim() === "" ? nothing : malformed), ...given("held", held) }
  const payload = fieldsOf(fields["payload"]) ?? {}
  switch (fields["type"]) {
    case "response_item":
      return item(line, fields, payload, held)
    case "event_msg":
      return eventLine(line, fields, payload, held)
    case "compacted":
      // `replacement_history` repeats items that stood here before.
      return after(held, made(line, fields, "system", stringOf(payload["message"]) ?? "", "compacted"))
    case "session_meta":
    case "turn_context":
    case "world_state":
      return { ...nothing, ...given("held", held) }
    default:
      return { ...(typeof fields["type"] === "string" ? unknownLine : malformed), ...given("held", held) }
  }
}

const after = (held: Held | undefined, entries: ReadonlyArray<Entry>): Parsed => ({
  entries: [...(held?.entries ?? []), ...entries]
})

const made = (
  line: Line,
  fields: Fields,
  role: EntryRole,
  text: string,
  kind: string,
  more: Partial<Entry> = {}
): ReadonlyArray<Entry> =>
  text.trim() === "" && role !== "tool_call" && role !== "tool"
    ? []
    : [
        {
          role,
          text,
          uid: `off:${line.offset}#0`,
          own: false,
          offset: line.offset,
          kind,
          ...given("at", timeOf(fields["timestamp"])),
          ...more
        }
      ]

const item = (line: Line, fields: Fields, payload: Fields, held: Held | undefined): Parsed => {
  const type = stringOf(payload["type"]) ?? ""
  const make = (role: EntryRole, text: string, more: Partial<Entry> = {}) => made(line, fields, role, text, type, more)
  // No line has an id of its own, but a call and its result have one in common.
  const call = filledOf(payload["call_id"]) ?? filledOf(payload["id"])
  const calling = (tool: string, text: string) =>
    after(held, make("tool_call", text, { tool, ...given("call", call), ...byCall("call", call) }))
  switch (type) {
    case "message":
      return after(held, message(line, fields, payload))
    case "reasoning": {
      const texts = objectsOf(payload["summary"]).concat(objectsOf(payload["content"]))
      const text = texts.flatMap((part) => stringOf(part["text"]) ?? []).join("\n")
      return text.trim() === "" ? after(held, []) : { entries: make("thinking", text) }
    }
    case "function_call":
      return calling(filledOf(payload["name"]) ?? type, jsonText(payload["arguments"]))
    case "custom_tool_call":
      return calling(filledOf(payload["name"]) ?? type, jsonText(payload["input"]))
    case "local_shell_call":
    case "web_search_call":
    case "tool_search_call":
      return calling(type.replace(/_call$/, ""), jsonText(payload["action"] ?? payload["arguments"]))
    case "image_generation_call":
      return calling("image_generation", jsonText(payload["revised_prompt"]))
    case "function_call_output":
    case "custom_tool_call_output":
    case "tool_search_output":
      return after(held, make("tool", output(payload), { ...given("call", call), ...byCall("result", call) }))
    case "compaction":
    case "compaction_summary":
    case "context_compaction":
    case "ghost_snapshot":
      return after(held, [])
    default:
      return { ...unknownLine, entries: held?.entries ?? [] }
  }
}

const byCall = (kind: string, call: string | undefined): Partial<Entry> =>
  call === undefined ? {} : { uid: `${kind}:${call}#0`, own: true }

const output = (payload: Fields): string => {
  const value = payload["output"] ?? payload["tools"]
  const content = fieldsOf(value)?.["content"]
  if (Array.isArray(value) || typeof value === "string") return contentText(value)
  return content === undefined ? jsonText(value) : contentText(content)
}

const harness =
  /^\s*(<(environment_context|user_instructions|INSTRUCTIONS|permissions instructions|user_shell_command|turn_aborted|subagent_notification|skill|hook_prompt|collaboration_mode|apps_instructions|plugins_instructions|skills_instructions|model_switch|realtime_conversation|personality_spec)\b|# AGENTS\.md instructions)/

const message = (line: Line, fields: Fields, payload: Fields): ReadonlyArray<Entry> => {
  const role = payload["role"]
  const content = payload["content"]
  const parts = typeof content === "string" ? [{ type: "input_text", text: content }] : objectsOf(content)
  const entries = parts.flatMap((part, index) => {
    const text = stringOf(part["text"])
    if (text === undefined) return []
    const as = role === "user" && !harness.test(text) ? "user" : role === "assistant" ? "assistant" : "system"
    return made(line, fields, as, text, "message", { uid: `off:${line.offset}#${index}` })
  })
  // A prompt of pictures alone is a prompt all the same.
  if (role === "user" && entries.length === 0 && parts.some((part) => part["type"] === "input_image")) {
    const [prompt] = made(line, fields, "user", "[image]", "message")
    return prompt === undefined ? [] : [{ ...prompt, text: "" }]
  }
  return entries
}

const eventLine = (line: Line, fields: Fields, payload: Fields, held: Held | undefined): Parsed => {
  const kept = { ...nothing, ...given("held", held) }
  switch (payload["type"]) {
    case "agent_reasoning":
    case "agent_reasoning_raw_content": {
      const entries = made(line, fields, "thinking", stringOf(payload["text"]) ?? "", String(payload["type"]))
      const all = [...(held?.entries ?? []), ...entries]
      return all.length === 0 ? nothing : { ...nothing, held: { entries: all, offset: held?.offset ?? line.offset } }
    }
    case "turn_aborted":
    case "thread_rolled_back":
    case "context_compacted":
      return after(held, made(line, fields, "system", String(payload["type"]).replaceAll("_", " "), "event_msg"))
    default:
      // Everything else repeats an item, or tells of the client.
      return kept
  }
}
