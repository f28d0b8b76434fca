import {
  type Entry,
  type EntryRole,
  type Line,
  malformed,
  nothing,
  type TranscriptFormat,
  unknownLine
} from "./Entry.ts"
import { contentText, type Fields, filledOf, given, jsonText, objectsOf, stringOf, timeOf } from "./Fields.ts"
import { splitHookContext } from "./hookContext.ts"
import { parseFields } from "./JsonLineDriver.ts"
import { isNotice } from "./Notice.ts"

/**
 * Gemini CLI: `<temporary folder of the project>/chats/session-*.jsonl`. A message stands there again, under the same id,
 * each time that it grew: its entries have the same ids, and the last ones count. A tool's result comes with its call.
 */
export const gemini: TranscriptFormat = (line) => {
  const fields = parseFields(line.text)
  if (fields === undefined) return line.text.trim() === "" ? nothing : malformed
  if ("$rewindTo" in fields) {
    return { entries: [entry(line, fields, "system", `rewound to ${jsonText(fields["$rewindTo"])}`, "0", "$rewindTo")] }
  }
  // What the session is, at its begin and where it changes.
  if ("$set" in fields || ("sessionId" in fields && !("type" in fields))) return nothing
  const type = fields["type"]
  if (typeof type !== "string" || filledOf(fields["id"]) === undefined) return malformed
  switch (type) {
    case "user":
      return { entries: prompt(line, fields) }
    case "gemini":
      return { entries: answer(line, fields) }
    case "info":
    case "error":
    case "warning":
      return { entries: said(line, fields, "system", contentText(fields["content"]), "text") }
    default:
      return unknownLine
  }
}

const entry = (
  line: Line,
  fields: Fields,
  role: EntryRole,
  text: string,
  part: string,
  kind: string,
  more: Partial<Entry> = {}
): Entry => {
  const id = filledOf(fields["id"])
  return {
    role,
    text,
    uid: `${id ?? `off:${line.offset}`}#${part}`,
    own: id !== undefined,
    offset: line.offset,
    kind,
    ...given("at", timeOf(fields["timestamp"])),
    ...more
  }
}

const said = (line: Line, fields: Fields, role: EntryRole, text: string, part: string): ReadonlyArray<Entry> =>
  text.trim() === "" ? [] : [entry(line, fields, role, text, part, String(fields["type"]))]

const harness = /^\s*(<session_context>|<hook_context>|This is the Gemini CLI\. We are setting up the context)/

const prompt = (line: Line, fields: Fields): ReadonlyArray<Entry> => {
  const content = fields["content"]
  const parts = objectsOf(content)
  // The model's view of a tool's result is a message of the user; the call itself has it too.
  if (parts.length > 0 && parts.every((part) => "functionResponse" in part)) return []
  const words = parts.filter((part) => typeof part["text"] === "string")
  const text = typeof content === "string" ? content : contentText(words)
  if (text.trim() === "") return parts.length > 0 ? [entry(line, fields, "user", "", "text", "user")] : []
  const { context, said: rest } = splitHookContext(text)
  if (context === "") return said(line, fields, harness.test(text) ? "system" : "user", text, "text")
  // What our own hook said would be found by every search for it.
  const hooks = isNotice(context) ? [] : said(line, fields, "system", context, "hooks")
  return [...hooks, ...said(line, fields, harness.test(rest) ? "system" : "user", rest, "text")]
}

const answer = (line: Line, fields: Fields): ReadonlyArray<Entry> => {
  const thoughts = objectsOf(fields["thoughts"]).flatMap((thought, index) => {
    const text = [thought["subject"], thought["description"]].flatMap((part) => filledOf(part) ?? []).join("\n")
    return said(line, fields, "thinking", text, `thought${index}`)
  })
  const calls = objectsOf(fields["toolCalls"]).flatMap((call, index) => {
    const id = filledOf(call["id"])
    const about = { ...given("tool", filledOf(call["name"])), ...given("call", id) }
    const calling = entry(line, fields, "tool_call", jsonText(call["args"]), `call:${id ?? index}`, "toolCalls", about)
    const result = call["result"] ?? call["response"]
    if (result === undefined || result === null) return [calling]
    return [calling, entry(line, fields, "tool", resultText(result), `result:${id ?? index}`, "toolCalls", about)]
  })
  return [...thoughts, ...said(line, fields, "assistant", contentText(fields["content"]), "text"), ...calls]
}

/** What the model was given back: the output in a function's response, else the whole of it. */
const resultText = (result: unknown): string => {
  const outputs = objectsOf(result).flatMap((part) => {
    const response = objectsOf([part["functionResponse"]])[0]
    const body = objectsOf([response?.["response"]])[0]
    return stringOf(body?.["output"]) ?? stringOf(body?.["error"]) ?? []
  })
  return outputs.length > 0 ? outputs.join("\n") : jsonText(result)
}
