import {
  type Entry,
  type EntryRole,
  type Line,
  malformed,
  nothing,
  type TranscriptFormat,
  unknownLine
} from "./Entry.ts"
import { contentText, type Fields, fieldsOf, filledOf, given, jsonText, objectsOf, stringOf, timeOf } from "./Fields.ts"
import { parseFields } from "./JsonLineDriver.ts"

/**
 * Claude Code: `~/.claude/projects/<key>/<session>.jsonl`. One block of a message a line; tool results arrive as lines of
 * type `user`; parent links may dangle or circle and are not followed.
 */
export const claude: TranscriptFormat = (line) => {
  const fields = parseFields(line.text)
  if (fields === undefined) return line.text.trim() === "" ? nothing : malformed
  const type = fields["type"]
  if (type === "user" || type === "assistant") {
    const message = fieldsOf(fields["message"])
    if (message === undefined) return malformed
    return { entries: type === "user" ? userLine(line, fields, message) : assistantLine(line, fields, message) }
  }
  if (type === "system") return { entries: systemLine(line, fields) }
  if (type === "attachment") return { entries: attachmentLine(line, fields) }
  if (typeof type !== "string") return malformed
  return silent.has(type) ? nothing : unknownLine
}

/** Lines that hold nothing of the conversation, or repeat it. */
const silent: ReadonlySet<string> = new Set([
  "summary",
  "custom-title",
  "ai-title",
  "agent-name",
  "agent-color",
  "tag",
  "mode",
  "permission-mode",
  "progress",
  "file-history-snapshot",
  "queue-operation",
  "content-replacement",
  "last-prompt",
  "pr-link"
])

const entry = (line: Line, fields: Fields, role: EntryRole, text: string, block: string, more: Partial<Entry> = {}) => {
  const uuid = filledOf(fields["uuid"])
  const agent = filledOf(fields["agentId"]) ?? (fields["isSidechain"] === true ? "sidechain" : undefined)
  return {
    role,
    text,
    uid: `${uuid ?? `off:${line.offset}`}#${block}`,
    own: uuid !== undefined,
    offset: line.offset,
    kind: String(fields["type"]),
    ...given("at", timeOf(fields["timestamp"])),
    ...given("session", filledOf(fields["sessionId"])),
    ...given("agent", agent),
    ...given("prompt", filledOf(fields["promptId"])),
    ...more
  } satisfies Entry
}

const userLine = (line: Line, fields: Fields, message: Fields): ReadonlyArray<Entry> => {
  const content = message["content"]
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : objectsOf(content)
  const byHarness =
    fields["isMeta"] === true ||
    fields["isCompactSummary"] === true ||
    fields["isVisibleInTranscriptOnly"] === true ||
    notHuman(fields["origin"])
  const texts = blocks.flatMap((block, index): ReadonlyArray<Entry> => {
    if (block["type"] === "tool_result") return [toolResult(line, fields, block, String(index))]
    if (block["type"] !== "text") return []
    return userText(stringOf(block["text"]) ?? "", byHarness).map(({ role, text }, part) =>
      entry(line, fields, role, text, part === 0 ? String(index) : `${index}.${part}`)
    )
  })
  // A prompt of pictures alone is a prompt all the same.
  const wordless = texts.length === 0 && !byHarness && blocks.some((block) => block["type"] === "image")
  return wordless ? [entry(line, fields, "user", "", "0")] : texts
}

const notHuman = (origin: unknown): boolean => {
  const kind = fieldsOf(origin)?.["kind"]
  return typeof kind === "string" && kind !== "human"
}

const reminder = /^\s*<system-reminder>[\s\S]*?<\/system-reminder>\s*/
const harness =
  /^\s*(<(command-(name|message|args)|local-command-(stdout|stderr|caveat)|bash-(input|stdout|stderr)|task-notification|system-reminder|teammate-message|user-prompt-submit-hook)\b|Caveat: The messages below|\[Request interrupted by user)/

const userText = (
  text: string,
  byHarness: boolean
): ReadonlyArray<{ readonly role: EntryRole; readonly text: string }> => {
  if (text.trim() === "") return []
  const [reminded] = reminder.exec(text) ?? []
  if (byHarness || reminded === undefined) return [{ role: byHarness || harness.test(text) ? "system" : "user", text }]
  return [{ role: "system", text: reminded }, ...userText(text.slice(reminded.length), false)]
}

const toolResult = (line: Line, fields: Fields, block: Fields, index: string): Entry => {
  const file = filledOf(fieldsOf(fields["toolUseResult"])?.["persistedOutputPath"])
  return entry(line, fields, "tool", contentText(block["content"]), index, {
    ...given("call", filledOf(block["tool_use_id"])),
    ...given("file", file)
  })
}

const assistantLine = (line: Line, fields: Fields, message: Fields): ReadonlyArray<Entry> => {
  // The client's own words in the model's place: an error of the API, an interruption.
  const synthetic = fields["isApiErrorMessage"] === true || message["model"] === "<synthetic>"
  const content = message["content"]
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : objectsOf(content)
  return blocks.flatMap((block, index): ReadonlyArray<Entry> => {
    const made = (role: EntryRole, text: string, more: Partial<Entry> = {}) =>
      text.trim() === "" && role !== "tool_call" ? [] : [entry(line, fields, role, text, String(index), more)]
    switch (block["type"]) {
      case "text":
        return made(synthetic ? "system" : "assistant", stringOf(block["text"]) ?? "")
      case "thinking":
        // Often empty beside a signature: nothing was shown, and nothing is stored.
        return made("thinking", stringOf(block["thinking"]) ?? "")
      case "tool_use":
      case "server_tool_use":
        return made("tool_call", jsonText(block["input"]), {
          ...given("tool", filledOf(block["name"])),
          ...given("call", filledOf(block["id"]))
        })
      case "web_search_tool_result":
      case "web_fetch_tool_result":
        return made("tool", jsonText(block["content"]), { ...given("call", filledOf(block["tool_use_id"])) })
      default:
        return []
    }
  })
}

const systemLine = (line: Line, fields: Fields): ReadonlyArray<Entry> => {
  const text = stringOf(fields["content"]) ?? ""
  const kind = `system/${stringOf(fields["subtype"]) ?? ""}`
  return text.trim() === "" ? [] : [entry(line, fields, "system", text, "0", { kind })]
}

/** Reminders, what hooks said, and what was typed while the agent worked. */
const attachmentLine = (line: Line, fields: Fields): ReadonlyArray<Entry> => {
  const attachment = fieldsOf(fields["attachment"])
  const type = stringOf(attachment?.["type"])
  if (attachment === undefined || type === undefined) return []
  const kind = `attachment/${type}`
  if (type === "queued_command") {
    const text = contentText(attachment["prompt"])
    const mode = attachment["commandMode"]
    const typed = (mode === undefined || mode === "prompt") && !notHuman(attachment["origin"]) && !harness.test(text)
    return text.trim() === "" ? [] : [entry(line, fields, typed ? "user" : "system", text, "0", { kind })]
  }
  // What our own hook said would be found by every search for it.
  if (type.startsWith("hook_") && /\bctx(-mcp)? (hook|capture)\b/.test(jsonText(attachment["command"]))) return []
  const text = stringOf(attachment["content"]) ?? stringOf(attachment["stdout"]) ?? contentText(attachment["content"])
  return [entry(line, fields, "system", text === "" ? jsonText(attachment) : text, "0", { kind })]
}
