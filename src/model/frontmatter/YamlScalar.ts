/**
 * A text as YAML, on one line. Plain only where no parser of YAML 1.1 or 1.2 reads anything but that text, in a list of
 * either style too; in double quotes otherwise. So `on`, `1458`, `2026-06-03` and `Core (Split: A)` stay texts.
 */
export const yamlScalar = (text: string): string => (isPlain(text) ? text : doubleQuoted(text))

/** A list in flow style: `[a, "b: c"]`. */
export const yamlFlowList = (items: ReadonlyArray<string>): string => `[${items.map(yamlScalar).join(", ")}]`

/** A time stamp, which page files carry unquoted; anything else is quoted as needed. */
export const yamlStamp = (text: string): string => (stamp.test(text) ? text : yamlScalar(text))

const words = /^[A-Za-z][A-Za-z0-9_./()-]*(?: [A-Za-z0-9_/()][A-Za-z0-9_./()-]*)*$/
const otherType = /^(?:y|n|yes|no|on|off|true|false|null)$/i
const stamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/

const isPlain = (text: string) => words.test(text) && !otherType.test(text)

// JSON's strings are YAML's double-quoted ones, but for characters that some YAML parsers take for a line break, a
// control or a byte order mark.
const doubleQuoted = (text: string) =>
  JSON.stringify(text).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
  )
