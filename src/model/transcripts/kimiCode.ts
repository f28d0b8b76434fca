import { type Entry, type EntryRole, type Line, malformed, nothing, type Parsed, unknownLine } from "./Entry.ts"
import { contentText, type Fields, fieldsOf, filledOf, given, jsonText, objectsOf, stringOf, timeOf } from "./Fields.ts"

/**
 * A line of kimi-code: `~/.kimi-code/sessions/<dir>/<session>/agents/main/wire.jsonl`. `turn.prompt` repeats what
 * `context.append_message` says, and is left out.
 */
export const kimiCodeLine = (line: Line, fields: Fields): Parsed => {
  const type = fields["type"]
  const make = (role: EntryRole, text: string, part = "0", more: Partial<Entry> = {}): ReadonlyArray<Entry> =>
    text.trim() === "" && role !== "tool_call" && role !== "tool"
      ? []
      : [
          {
            role,
            text,
            uid: `off:${line.offset}#${part}`,
            own: false,
            offset: line.offset,
            kind: String(type),
            ...given("at", timeOf(fields["time"])),
            ...more
          }
        ]
  switch (type) {
    case "context.append_message": {
      const message = fieldsOf(fields["message"])
      return message === undefined ? malformed : { entries: appended(message, make) }
    }
    case "context.append_loop_event": {
      const event = fieldsOf(fields["event"])
      return event === undefined ? malformed : { entries: looped(event, make) }
    }
    case "context.apply_compaction":
      return { entries: make("system", contentText(fields["summary"])) }
    case "context.undo":
      return { entries: make("system", `undone: ${jsonText(fields["count"])}`) }
    case "context.clear":
      return { entries: make("system", "cleared") }
    default:
      if (typeof type !== "string") return malformed
      return /^(metadata$|config\.|tools\.|permission\.|turn\.|usage\.|step\.|context\.|session\.|plan\.|goal\.|swarm\.)/.test(
        type
      )
        ? nothing
        : unknownLine
  }
}

type Make = (role: EntryRole, text: string, part?: string, more?: Partial<Entry>) => ReadonlyArray<Entry>

const appended = (message: Fields, make: Make): ReadonlyArray<Entry> => {
  const call = given("call", filledOf(message["toolCallId"]))
  switch (message["role"]) {
    case "user":
      return make(isTyped(fieldsOf(message["origin"])) ? "user" : "system", contentText(message["content"]))
    case "assistant":
      return [...spoken(message["content"], make), ...objectsOf(message["toolCalls"]).flatMap(called(make))]
    case "tool":
      return make("tool", contentText(message["content"]), "0", call)
    default:
      return make("system", contentText(message["content"]))
  }
}

/** A skill or a command that the person called by its slash counts as typed. */
const isTyped = (origin: Fields | undefined): boolean =>
  origin === undefined || origin["kind"] === "user" || origin["trigger"] === "user-slash"

const spoken = (content: unknown, make: Make): ReadonlyArray<Entry> =>
  typeof content === "string"
    ? make("assistant", content)
    : objectsOf(content).flatMap((part, index) => spokenPart(part, String(index), make))

const spokenPart = (part: Fields, index: string, make: Make): ReadonlyArray<Entry> => {
  if (part["type"] === "think") return make("thinking", stringOf(part["think"]) ?? "", index)
  return part["type"] === "text" ? make("assistant", stringOf(part["text"]) ?? "", index) : []
}

const called =
  (make: Make) =>
  (call: Fields, index: number): ReadonlyArray<Entry> =>
    make("tool_call", jsonText(call["args"] ?? call["arguments"]), `call${index}`, {
      ...given("tool", filledOf(call["name"]) ?? filledOf(fieldsOf(call["function"])?.["name"])),
      ...given("call", filledOf(call["toolCallId"]) ?? filledOf(call["id"]))
    })

const looped = (event: Fields, make: Make): ReadonlyArray<Entry> => {
  switch (event["type"]) {
    case "content.part":
      return spokenPart(fieldsOf(event["part"]) ?? {}, "0", make)
    case "tool.call":
      return called(make)(event, 0)
    case "tool.result": {
      const output = fieldsOf(event["result"])?.["output"]
      return make("tool", contentText(output), "0", given("call", filledOf(event["toolCallId"])))
    }
    default:
      return []
  }
}
