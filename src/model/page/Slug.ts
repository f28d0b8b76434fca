import { Schema } from "effect"

const alphabet = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,199}$/

/** Whether text follows the reference's slug rule: 1 to 200 of `[A-Za-z0-9._-]`, not led by `-` or `.`, no `..`. */
export const isSlug = (text: string): boolean => alphabet.test(text) && !text.includes("..")

const windowsDevice = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)/i

/** Whether Windows can hold a file of this name: no device name, no trailing dot. */
export const isPortable = (slug: string): boolean => !windowsDevice.test(slug) && !slug.endsWith(".")

/** The name of a page within its type, or of a capture session. */
export const Slug = Schema.String.pipe(
  Schema.filter((text) => isSlug(text) || invalidSlug(text)),
  Schema.brand("Slug")
)
export type Slug = typeof Slug.Type

/** The sentence with which an invalid slug is refused. */
export const invalidSlug = (text: string): string =>
  `page: invalid slug ${JSON.stringify(text)} (use letters, digits, '-', '_', '.'; no '/', '\\', '..', or leading '-'/'.')`

/** The sentence with which a name that Windows cannot hold is refused at creation. */
export const unportableSlug = (text: string): string =>
  `page: slug ${JSON.stringify(text)} cannot exist on Windows (a device name such as con, nul, aux, com1, or a trailing '.'); choose another`

/** A page's identity: slugs that differ only by case are one page on every operating system. */
export const foldSlug = (slug: string): string => slug.toLowerCase()
