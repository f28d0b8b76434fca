import { type FileSystem, type Path } from "@effect/platform"
import { Effect, Either, Option, ParseResult, Predicate, Schema } from "effect"
import { parse, type ParseError } from "jsonc-parser"
import { writeAtomically, type WriteOptions } from "./AtomicFile.ts"
import { CorruptFile, type FileFailure } from "./FileFailure.ts"
import { readTextIfThere } from "./Files.ts"

/** What a file of ours holds: known keys beside others that are kept. */
export interface JsonObject {
  readonly [key: string]: unknown
}

/**
 * The JSON object in a file of ours, and what a schema makes of its known keys. None where there is no file.
 *
 * Errors: `CorruptFile` names the line or the key. It never quotes the file, which may hold a token.
 */
export const readJsonFile = <A, I>(
  path: string,
  schema: Schema.Schema<A, I>
): Effect.Effect<
  Option.Option<{ readonly object: JsonObject; readonly known: A }>,
  CorruptFile | FileFailure,
  FileSystem.FileSystem
> =>
  Effect.gen(function* () {
    const text = yield* readTextIfThere(path)
    if (Option.isNone(text)) return Option.none()
    const object = yield* Either.mapLeft(parseObject(text.value), (reason) => new CorruptFile({ path, reason }))
    const known = yield* Either.mapLeft(
      Schema.decodeUnknownEither(schema)(object),
      (error) => new CorruptFile({ path, reason: `${keyOf(error)} holds another kind of value than it should` })
    )
    return Option.some({ object, known })
  })

/**
 * Sets keys of a JSON object in a file of ours, and keeps the others and their order. Undefined leaves a key as it is, an
 * empty text removes it. Written as the reference writes: two spaces, no line end at the end. Call under the lock.
 */
export const patchJsonFile = (
  path: string,
  before: Option.Option<JsonObject>,
  patch: JsonObject,
  options?: WriteOptions
): Effect.Effect<void, FileFailure, FileSystem.FileSystem | Path.Path> => {
  const merged = { ...Option.getOrElse(before, () => ({})), ...withoutUndefined(patch) }
  const after = Object.fromEntries(Object.entries(merged).filter(([key, value]) => !(value === "" && key in patch)))
  return writeAtomically(path, JSON.stringify(after, null, 2), options)
}

/** The object that a text holds, a BOM aside; Left says why there is none. */
const parseObject = (text: string): Either.Either<JsonObject, string> => {
  const bare = text.startsWith("\uFEFF") ? text.slice(1) : text
  if (bare.trim() === "") return Either.left("it is empty")
  const value = Either.try((): unknown => JSON.parse(bare))
  if (Either.isLeft(value)) return Either.left(`it is not valid JSON${whereOf(bare)}`)
  return Predicate.isReadonlyRecord(value.right) ? Either.right(value.right) : Either.left("it is not a JSON object")
}

const whereOf = (text: string): string => {
  const errors: Array<ParseError> = []
  parse(text, errors, { disallowComments: true })
  const [first] = errors
  return first === undefined ? "" : `, line ${lineAt(text, first.offset)}`
}

/** Number of the line, from 1, that an offset lies in. */
export const lineAt = (text: string, offset: number): number => text.slice(0, offset).split("\n").length

const keyOf = (error: ParseResult.ParseError): string => {
  const [first] = ParseResult.ArrayFormatter.formatErrorSync(error)
  return first === undefined || first.path.length === 0 ? "it" : JSON.stringify(first.path.map(String).join("."))
}

const withoutUndefined = (object: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined))
