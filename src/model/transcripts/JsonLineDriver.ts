/** Driver over `JSON.parse`, which throws. Without Effect, for the capture hook, whose start would take longer than its work. */
import { type Fields, fieldsOf } from "./Fields.ts"

/** The object that a line holds, if it holds one. */
export const parseFields = (text: string): Fields | undefined => {
  try {
    return fieldsOf(JSON.parse(text))
  } catch {
    return undefined
  }
}
