import { Either, Option, ParseResult, Schema, SchemaAST } from "effect"
import { forAgentLine } from "../../model/text/Sanitise.ts"

/**
 * What models send as tool arguments, read as the schema means it (A28): a list, number or boolean that arrives as a
 * string, and `null`, `"null"` or an empty string for an optional argument. What stays ambiguous is refused with the
 * argument's name and the right form.
 */

/** Reads the arguments of a call. Left: one sentence, without the tool's name. */
export type Decoder<A> = (input: unknown) => Either.Either<A, string>

/** Makes the decoder of a tool's input schema, a struct. */
export const decoder = <A, I>(schema: Schema.Schema<A, I>): Decoder<A> => {
  const parameters = parametersOf(schema)
  const decode = Schema.decodeUnknownEither(schema)
  return (input) =>
    Either.gen(function* () {
      const given = yield* asRecord(input)
      const unknown = Object.keys(given).find((name) => !parameters.has(name) && !isNothing(given[name]))
      if (unknown !== undefined) {
        const known =
          parameters.size === 0 ? "there are none" : `the arguments are ${[...parameters.keys()].join(", ")}`
        return yield* Either.left(`unknown argument ${show(unknown)} (${known})`)
      }
      const values: Record<string, unknown> = {}
      for (const [name, { kind, optional }] of parameters) {
        const value = given[name]
        if (!optional && isNothing(value)) return yield* Either.left(required(parameters))
        Option.map(coerce(kind, value, optional), (read) => {
          values[name] = read
        })
      }
      return yield* Either.mapLeft(decode(values), (error) => complaint(error, parameters, values))
    })
}

type Kind =
  | { readonly is: "text" | "number" | "boolean" | "other" }
  | { readonly is: "one of"; readonly values: ReadonlyArray<string> }
  | { readonly is: "list"; readonly of: Kind }

interface Parameter {
  readonly kind: Kind
  readonly optional: boolean
}

type Parameters = ReadonlyMap<string, Parameter>

const parametersOf = <A, I>(schema: Schema.Schema<A, I>): Parameters =>
  new Map(
    SchemaAST.getPropertySignatures(Schema.encodedSchema(schema).ast).map(({ isOptional, name, type }) => [
      String(name),
      { kind: kindOf(type), optional: isOptional }
    ])
  )

const kindOf = (ast: SchemaAST.AST): Kind => {
  switch (ast._tag) {
    case "StringKeyword":
      return { is: "text" }
    case "NumberKeyword":
      return { is: "number" }
    case "BooleanKeyword":
      return { is: "boolean" }
    case "Literal":
      return typeof ast.literal === "string" ? { is: "one of", values: [ast.literal] } : { is: "other" }
    case "TupleType":
      return { is: "list", of: ast.rest[0] === undefined ? { is: "other" } : kindOf(ast.rest[0].type) }
    case "Union": {
      const kinds = ast.types.filter((type) => type._tag !== "UndefinedKeyword").map(kindOf)
      const values = kinds.flatMap((kind) => (kind.is === "one of" ? kind.values : []))
      if (values.length === kinds.length) return { is: "one of", values }
      return (kinds.length === 1 ? kinds[0] : undefined) ?? { is: "other" }
    }
    default:
      return { is: "other" }
  }
}

/** None: as good as not given. */
const coerce = (kind: Kind, value: unknown, optional: boolean): Option.Option<unknown> => {
  if (optional && meansNothing(value)) return Option.none()
  switch (kind.is) {
    case "text":
      return Option.some(typeof value === "number" ? String(value) : value)
    case "one of":
      return Option.some(typeof value === "string" ? oneOf(kind.values, value) : value)
    case "number":
      return Option.some(
        typeof value === "string" && /^\s*-?\d{1,15}(\.\d{1,15})?\s*$/.test(value) ? Number(value) : value
      )
    case "boolean":
      return Option.some(asBoolean(value))
    case "list": {
      const list = asList(value)
      if (!Array.isArray(list)) return optional && meansNothing(list) ? Option.none() : Option.some(list)
      const items = list.flatMap((item) => Option.toArray(coerce(kind.of, item, true)))
      // ["null"] and [""] say that there is nothing; [] says that the list is to be empty.
      return list.length > 0 && items.length === 0 ? Option.none() : Option.some(items)
    }
    case "other":
      return Option.some(value)
  }
}

const asList = (value: unknown): unknown => {
  if (typeof value !== "string") return value
  const parsed = Option.getOrElse(parseJson(value), (): unknown => value)
  // One bare word can only be the one item that is meant; "a, b" might be one or two.
  return typeof parsed === "string" && /^[^\s,;[\]{}"']+$/.test(parsed) ? [parsed] : parsed
}

const asBoolean = (value: unknown): unknown => {
  if (typeof value !== "string") return value
  const word = value.trim().toLowerCase()
  return word === "true" ? true : word === "false" ? false : value
}

const oneOf = (values: ReadonlyArray<string>, value: string): string => {
  const word = value
    .trim()
    .replace(/^(["'])(.*)\1$/, "$2")
    .toLowerCase()
  return values.find((one) => one.toLowerCase() === word) ?? value
}

const asRecord = (input: unknown): Either.Either<Readonly<Record<string, unknown>>, string> => {
  const value = typeof input === "string" ? Option.getOrElse(parseJson(input), (): unknown => input) : input
  if (isNothing(value)) return Either.right({})
  return Either.mapLeft(
    decodeRecord(value),
    () => `the arguments must be one object, like {"slug": "retry-rule"}, not ${show(value)}`
  )
}

const decodeRecord = Schema.decodeUnknownEither(Schema.Record({ key: Schema.String, value: Schema.Unknown }))
const parseJson = Schema.decodeUnknownOption(Schema.parseJson())

const isNothing = (value: unknown): boolean => value === undefined || value === null || value === ""

const meansNothing = (value: unknown): boolean =>
  isNothing(value) || (typeof value === "string" && /^\s*(null|undefined)?\s*$/i.test(value))

const required = (parameters: Parameters): string => {
  const names = [...parameters].filter(([, { optional }]) => !optional).map(([name]) => name)
  return `${names.join(", ")} ${names.length === 1 ? "is" : "are"} required`
}

const complaint = (error: ParseResult.ParseError, parameters: Parameters, values: Record<string, unknown>): string => {
  const issue = ParseResult.ArrayFormatter.formatErrorSync(error)[0]
  const name = String(issue?.path[0] ?? "")
  const parameter = parameters.get(name)
  if (parameter === undefined) return forAgentLine(error.message)
  const value = values[name]
  if (parameter.kind.is === "one of") return `invalid ${name} ${show(value)} (want ${parameter.kind.values.join("|")})`
  if (fits(parameter.kind, value)) return `${name}: ${forAgentLine(issue?.message ?? error.message)}`
  return `${name} must be ${form(parameter.kind)}, not ${show(value)}`
}

const fits = (kind: Kind, value: unknown): boolean => {
  switch (kind.is) {
    case "text":
      return typeof value === "string"
    case "number":
      return typeof value === "number"
    case "boolean":
      return typeof value === "boolean"
    case "list":
      return Array.isArray(value) && value.every((item) => fits(kind.of, item))
    default:
      return true
  }
}

const form = (kind: Kind): string => {
  switch (kind.is) {
    case "number":
      return "a number, like 5"
    case "boolean":
      return "true or false"
    case "list":
      return 'a list of strings, like ["billing", "retry"]'
    default:
      return "a string"
  }
}

/** A value as a message may show it: one line, at most 100 characters. */
const show = (value: unknown): string => {
  const text = [...forAgentLine((JSON.stringify(value) ?? String(value)).slice(0, 400))]
  return text.length <= 100 ? text.join("") : `${text.slice(0, 99).join("")}…`
}
