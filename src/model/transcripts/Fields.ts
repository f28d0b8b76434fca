/** An object of JSON that nobody vouches for: each field is looked at before it is used. */
export type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

export const fieldsOf = (value: unknown): Fields | undefined => (isFields(value) ? value : undefined)

export const stringOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

export const filledOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined

export const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

export const objectsOf = (value: unknown): ReadonlyArray<Fields> => listOf(value).filter(isFields)

/** A point in time as hosts write it: RFC 3339, seconds or milliseconds since 1970. In milliseconds. */
export const timeOf = (value: unknown): number | undefined => {
  const time = typeof value === "string" ? Date.parse(value) : typeof value === "number" ? value : Number.NaN
  if (!Number.isFinite(time) || time < 0) return undefined
  return Math.round(typeof value === "number" && time < 1e12 ? time * 1000 : time)
}

/** The text of content that is a string, or parts of which some are text; images and the like are named only. */
export const contentText = (content: unknown): string =>
  typeof content === "string" ? content : objectsOf(content).map(partText).join("\n")

const partText = (part: Fields): string =>
  stringOf(part["text"]) ?? (typeof part["type"] === "string" ? `[${part["type"]}]` : "")

/** JSON text of what a tool was given: as it is where it is text already. */
export const jsonText = (value: unknown): string =>
  value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value)

/** Leaves out what is undefined, for optional properties. */
export const given = <K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } => {
  const one: { [P in K]?: V } = {}
  if (value !== undefined) one[key] = value
  return one
}
