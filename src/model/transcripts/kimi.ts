import { type Line, malformed, nothing, type TranscriptFormat } from "./Entry.ts"
import { fieldsOf, given } from "./Fields.ts"
import { parseFields } from "./JsonLineDriver.ts"
import { kimiCliLine } from "./kimiCli.ts"
import { kimiCodeLine } from "./kimiCode.ts"

/**
 * Both products that are called Kimi write a `wire.jsonl`, and each line tells which of them wrote it: kimi-cli wraps
 * everything in `message`, kimi-code has `type` and `time` beside the rest.
 */
export const kimi: TranscriptFormat = (line: Line, held) => {
  const fields = parseFields(line.text)
  if (fields === undefined) return { ...(line.text.trim() === "" ? nothing : malformed), ...given("held", held) }
  const message = fieldsOf(fields["message"])
  if (message !== undefined && fields["type"] === undefined) return kimiCliLine(line, fields, message, held)
  const parsed = kimiCodeLine(line, fields)
  return { ...parsed, entries: [...(held?.entries ?? []), ...parsed.entries] }
}
