import {
  type Entry,
  type EntryRole,
  type Held,
  type Line,
  malformed,
  nothing,
  type Parsed,
  unknownLine
} from "./Entry.ts"
import { contentText, type Fields, fieldsOf, filledOf, given, jsonText, stringOf, timeOf } from "./Fields.ts"

/**
 * A line of kimi-cli: `~/.kimi/sessions/<md5 of the folder>/<session>/wire.jsonl`. What a tool is given may come in
 * fragments: its call is held until they are together. (`context.jsonl` beside it is rewritten at every compaction.)
 */
export const kimiCliLine = (line: Line, fields: Fields, message: Fields, held: Held | undefined): Parsed => {
  const type = stringOf(message["type"])
  const payload = fieldsOf(message["payload"]) ?? {}
  if (type === undefined) return { ...malformed, ...given("held", held) }
  if (type === "ToolCallPart") return { ...nothing, ...given("held", continued(held, payload)) }
  const entries = spoken(line, fields, type, payload)
  const before = held?.entries ?? []
  if (entries === undefined) return { ...unknownLine, entries: before }
  if (type === "ToolCall" && entries.length > 0) return { entries: before, held: { entries, offset: line.offset } }
  return { entries: [...before, ...entries] }
}

const continued = (held: Held | undefined, payload: Fields): Held | undefined => {
  const call = held?.entries[0]
  if (held === undefined || call === undefined) return held
  return { ...held, entries: [{ ...call, text: call.text + (stringOf(payload["arguments_part"]) ?? "") }] }
}

/** The entries of one message; undefined for a kind that we do not know. */
const spoken = (
  line: Line,
  fields: Fields,
  type: string,
  payload: Fields,
  agent?: string
): ReadonlyArray<Entry> | undefined => {
  const make = (role: EntryRole, text: string, more: Partial<Entry> = {}): ReadonlyArray<Entry> =>
    text.trim() === "" && role !== "tool_call" && role !== "tool"
      ? []
      : [
          {
            role,
            text,
            uid: `off:${line.offset}#0`,
            own: false,
            offset: line.offset,
            kind: type,
            ...given("at", timeOf(fields["timestamp"])),
            ...given("agent", agent),
            ...more
          }
        ]
  switch (type) {
    case "TurnBegin":
    case "SteerInput":
      return make("user", contentText(payload["user_input"]))
    case "ContentPart":
      return payload["type"] === "think"
        ? make("thinking", stringOf(payload["think"]) ?? "")
        : make("assistant", stringOf(payload["text"]) ?? "")
    case "ToolCall": {
      const called = fieldsOf(payload["function"])
      const about = { ...given("tool", filledOf(called?.["name"])), ...given("call", filledOf(payload["id"])) }
      return make("tool_call", jsonText(called?.["arguments"] ?? ""), about)
    }
    case "ToolResult": {
      const value = fieldsOf(payload["return_value"])
      const output = contentText(value?.["output"])
      const text = [output, stringOf(value?.["message"]) ?? ""].filter((part) => part !== "").join("\n")
      return make("tool", text, given("call", filledOf(payload["tool_call_id"])))
    }
    case "SubagentEvent": {
      const event = fieldsOf(payload["event"])
      const by = filledOf(payload["agent_id"]) ?? filledOf(payload["parent_tool_call_id"]) ?? "subagent"
      return spoken(line, fields, stringOf(event?.["type"]) ?? "", fieldsOf(event?.["payload"]) ?? {}, by) ?? []
    }
    default:
      return silent.test(type) ? [] : undefined
  }
}

const silent =
  /^(StepBegin|StepInterrupted|StepRetry|StatusUpdate|CompactionBegin|CompactionEnd|TurnEnd|MCPLoading\w+|Hook\w+|Approval\w+|Question\w+|Notification|PlanDisplay|ToolCallRequest|BtwBegin|BtwEnd)$/
