import { Cause, Effect, Either, JSONSchema, type Schema, SchemaAST } from "effect"
import { forAgentLine } from "../../model/text/Sanitise.ts"
import { decoder } from "./Arguments.ts"
import { icons } from "./icons.ts"

/** What a tool does to the world, as MCP clients ask for it. Honest, so that a client may trust it. */
export interface Annotations {
  readonly readOnlyHint: boolean
  readonly destructiveHint: boolean
  readonly idempotentHint: boolean
  /** Whether it talks to a server. */
  readonly openWorldHint: boolean
}

/** One tool: its schema both describes and decodes the input. */
export interface Definition<A, I, E, R> {
  readonly name: string
  readonly title: string
  /** Written for the model that reads it. */
  readonly description: string
  /** A struct of plain JSON values. */
  readonly input: Schema.Schema<A, I>
  readonly annotations: Annotations
  /** The one text block of the answer. */
  readonly run: (input: A) => Effect.Effect<string, E, R>
  /** How a failure is said; default `<tool>: <message>`. */
  readonly failure?: (error: E) => string
  /** Begins the sentence about a bad argument; default `<tool>`. */
  readonly subject?: string
}

/** What a query found: as a model reads it, and as a program does. Both must fit into one answer. */
export interface Found<O> {
  readonly text: string
  readonly data: O
}

/** A tool that only asks, and never answers with a directive: its answer has a structured half. */
export interface Query<A, I, O, E, R> extends Omit<Definition<A, I, E, R>, "run"> {
  /** A struct of plain JSON values. */
  readonly output: Schema.Schema<O>
  readonly run: (input: A) => Effect.Effect<Found<O>, E, R>
}

/** The result of `tools/call`: one text block, and of a query what it says as data. */
export interface ToolResult {
  readonly content: ReadonlyArray<{ readonly type: "text"; readonly text: string }>
  readonly structuredContent?: object
  readonly isError?: true
}

/** A tool of any input, ready to be listed and called. */
export interface Tool<R> {
  readonly name: string
  /** Its entry in `tools/list`. */
  readonly listing: Readonly<Record<string, unknown>>
  /** Decodes the arguments and runs. Whatever fails is an answer that says what to do. */
  readonly call: (input: unknown) => Effect.Effect<ToolResult, never, R>
}

export const tool = <A, I, E extends { readonly message: string }, R>(definition: Definition<A, I, E, R>): Tool<R> =>
  make(definition, {}, (input) => Effect.map(definition.run(input), answered))

/** The same for a tool that only asks. */
export const queryTool = <A, I, O extends object, E extends { readonly message: string }, R>(
  definition: Query<A, I, O, E, R>
): Tool<R> =>
  make(definition, { outputSchema: jsonSchema(definition.output) }, (input) =>
    Effect.map(definition.run(input), ({ data, text }) => ({ ...answered(text), structuredContent: data }))
  )

const make = <A, I, E extends { readonly message: string }, R>(
  definition: Omit<Definition<A, I, E, R>, "run">,
  more: object,
  run: (input: A) => Effect.Effect<ToolResult, E, R>
): Tool<R> => {
  const { annotations, description, input, name, title } = definition
  const decode = decoder(input)
  const failure = definition.failure ?? (({ message }) => `${name}: ${message}`)
  return {
    name,
    listing: {
      name,
      title,
      description,
      icons,
      inputSchema: jsonSchema(input),
      ...more,
      annotations: { title, ...annotations }
    },
    call: (given) =>
      Either.match(decode(given), {
        onLeft: (reason) =>
          Effect.succeed(failed(`${reason.endsWith("required") ? name : (definition.subject ?? name)}: ${reason}`)),
        onRight: (value) =>
          run(value).pipe(
            Effect.catchAll((error) => Effect.succeed(failed(failure(error)))),
            Effect.catchAllDefect((defect) =>
              Effect.as(
                Effect.logError(`${name} failed unexpectedly`, Cause.die(defect)),
                failed(
                  `${name}: failed unexpectedly (${whatItSays(defect)}). This is a bug in ctx-mcp: please report it.`
                )
              )
            ),
            Effect.withSpan(name)
          )
      })
  }
}

/** The JSON Schema of what a tool takes or gives, in the dialect that MCP expects. */
export const jsonSchema = <A, I>(schema: Schema.Schema<A, I>): object =>
  SchemaAST.getPropertySignatures(schema.ast).length === 0
    ? { type: "object", properties: {}, additionalProperties: false }
    : JSONSchema.fromAST(schema.ast, {
        definitions: {},
        target: "jsonSchema2020-12",
        topLevelReferenceStrategy: "skip"
      })

const whatItSays = (defect: unknown): string =>
  forAgentLine((defect instanceof Error ? defect.message : String(defect)).slice(0, 300))

// A lone surrogate would make the client's next request invalid (A11).
const block = (text: string) => ({ type: "text", text: text.toWellFormed() }) as const

const answered = (text: string): ToolResult => ({ content: [block(text)] })

const failed = (text: string): ToolResult => ({ content: [block(text)], isError: true })
