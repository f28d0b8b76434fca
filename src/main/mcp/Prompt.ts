import { Effect, Either, type Schema, SchemaAST } from "effect"
import { decoder } from "./Arguments.ts"
import { icons } from "./icons.ts"
import { invalidParams, internalError, type RpcFailure } from "./Rpc.ts"

/** A part of what a prompt says. */
export type Content =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "resource"
      readonly resource: { readonly uri: string; readonly mimeType: string; readonly text: string }
    }

/** One prompt: what a person picks, and the agent is then told to do. */
export interface Definition<A, I, E, R> {
  readonly name: string
  readonly title: string
  /** Written for the person who picks it. */
  readonly description: string
  /** A struct of strings. */
  readonly input: Schema.Schema<A, I>
  /** What an argument may be. */
  readonly complete: Readonly<Record<string, Effect.Effect<ReadonlyArray<string>, E, R>>>
  readonly run: (input: A) => Effect.Effect<ReadonlyArray<Content>, E, R>
}

/** A prompt of any input, ready to be listed and got. */
export interface Prompt<R> {
  readonly name: string
  /** Its entry in `prompts/list`. */
  readonly listing: object
  readonly get: (input: unknown) => Effect.Effect<object, RpcFailure, R>
  /** What an argument may be; none where nobody knows. */
  readonly values: (argument: string) => Effect.Effect<ReadonlyArray<string>, RpcFailure, R>
}

export const prompt = <A, I, E extends { readonly message: string }, R>(
  definition: Definition<A, I, E, R>
): Prompt<R> => {
  const { complete, description, input, name, run, title } = definition
  const decode = decoder(input)
  const failed = (error: E) => internalError(`${name}: ${error.message}`)
  return {
    name,
    listing: { name, title, description, icons, arguments: argumentsOf(input) },
    get: (given) =>
      Either.match(decode(given), {
        onLeft: (reason) => Effect.fail(invalidParams(`${name}: ${reason}`)),
        onRight: (value) =>
          run(value).pipe(
            Effect.map((contents) => ({
              description,
              messages: contents.map((content) => ({ role: "user", content: wellFormed(content) }))
            })),
            Effect.mapError(failed),
            Effect.withSpan(`prompt ${name}`)
          )
      }),
    values: (argument) => Effect.mapError(complete[argument] ?? Effect.succeed([]), failed)
  }
}

const argumentsOf = <A, I>(input: Schema.Schema<A, I>) =>
  SchemaAST.getPropertySignatures(input.ast).map(({ annotations, isOptional, name, type }) => ({
    name: String(name),
    description: String(
      annotations[SchemaAST.DescriptionAnnotationId] ?? type.annotations[SchemaAST.DescriptionAnnotationId] ?? ""
    ),
    required: !isOptional
  }))

// A lone surrogate would make the client's next request invalid (A11).
const wellFormed = (content: Content): Content =>
  content.type === "text"
    ? { ...content, text: content.text.toWellFormed() }
    : { ...content, resource: { ...content.resource, text: content.resource.text.toWellFormed() } }
