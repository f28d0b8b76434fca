import { textHash } from "../text/TextHash.ts"

const plain = /^[A-Za-z0-9][A-Za-z0-9._-]{0,119}$/
/** Names that Windows keeps for devices, with any ending. */
const device = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i

/**
 * The file name, without ending, of a session's buffer: the session id itself where it is a plain name. Any other id
 * (`../../x`, one with slashes, blanks, control characters) becomes one, with a fingerprint that keeps two of them apart.
 */
export const sessionName = (id: string): string => {
  if (plain.test(id) && !device.test(id) && !id.endsWith(".") && !id.endsWith(".jsonl")) return id
  const readable = id.replaceAll(/[^A-Za-z0-9_-]+/g, "-").replaceAll(/^-+|-+$/g, "")
  return `s-${readable.slice(0, 60)}-${textHash(id)}`
}

/** The session of an event that names none: one a day. */
export const unknownSession = (now: number): string =>
  `unknown-${new Date(now).toISOString().slice(0, 10).replaceAll("-", "")}`
