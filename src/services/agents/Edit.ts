import { type Either, Option, Predicate } from "effect"
import type { Edited } from "./Change.ts"

/** What a file has of ours: `stale` is an entry of the public Go client, `partial` lacks some of what we put there. */
export type Found = "absent" | "wired" | "partial" | "stale"

/**
 * One thing of ours in a file that is not ours: pure steps from text to text, which leave everything else byte for byte.
 * Left is always the reason why the text is not edited.
 */
export interface Edit {
  /** Puts it in; None where there is no file. Run again, it changes nothing. */
  readonly wire: (before: Option.Option<string>) => Either.Either<Edited, string>
  /** Takes it out by what it says, whoever put it in. None: nothing is left, and the file can go. */
  readonly unwire: (text: string) => Either.Either<Option.Option<string>, string>
  readonly find: (text: string) => Either.Either<Found, string>
  /** What the text says, the same for equal documents; None where it is not valid. */
  readonly parse: (text: string) => Option.Option<unknown>
}

/** Whether two texts are valid and say the same, what is empty aside. */
export const saysTheSame = (edit: Edit, one: Option.Option<string>, other: Option.Option<string>): boolean =>
  Option.exists(meaningOf(edit, one), (meaning) => Option.contains(meaningOf(edit, other), meaning))

const meaningOf = (edit: Edit, text: Option.Option<string>): Option.Option<string> =>
  Option.match(
    Option.filter(text, (filled) => filled.replace(/^\uFEFF/, "").trim() !== ""),
    {
      onNone: () => Option.some("{}"),
      onSome: (filled) => Option.map(edit.parse(filled), (value) => canonical(pruned(value) ?? {}))
    }
  )

/** A value without the empty objects and arrays in it; undefined where nothing is left. */
export const pruned = (value: unknown): unknown => {
  if (Array.isArray(value)) {
    const kept = value.map(pruned).filter(Predicate.isNotUndefined)
    return kept.length === 0 ? undefined : kept
  }
  if (!isPlain(value)) return value
  const kept = Object.entries(value)
    .map(([key, one]) => [key, pruned(one)] as const)
    .filter(([, one]) => one !== undefined)
  return kept.length === 0 ? undefined : Object.fromEntries(kept)
}

const isPlain = (value: unknown): value is { readonly [key: string]: unknown } =>
  Predicate.isRecord(value) && !(value instanceof Date)

/** One text for equal values, whatever the order of their keys. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, one: unknown) => {
    if (Predicate.isBigInt(one)) return `${one}n`
    if (!isPlain(one)) return one
    return Object.fromEntries(Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  })
