import { Effect, Schema } from "effect"
import type { App, Client } from "../../src/main/mcp/App.ts"
import type { Request } from "../../src/main/mcp/methods.ts"
import { prompt } from "../../src/main/mcp/Prompt.ts"
import { internalError, invalidParams, methodNotFound } from "../../src/main/mcp/Rpc.ts"
import { tool } from "../../src/main/mcp/Tool.ts"

/**
 * What the conformance suite expects a server to have, on our adapter: its own tools, resources and prompts, behind our
 * transport, session, framing of answers, progress and cancelling.
 */

const none = Schema.Struct({})
const hints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }
const about = (name: string) => ({ name, title: name, description: `The conformance suite's ${name}.` })

/** A red dot, and a moment of silence. */
const image = {
  type: "image",
  data: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
  mimeType: "image/png"
} as const
const audio = {
  type: "audio",
  data: "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAAAAA==",
  mimeType: "audio/wav"
}
const embedded = (uri: string, mimeType: string, text: string) => ({
  type: "resource",
  resource: { uri, mimeType, text }
})

const tools = [
  tool({
    ...about("test_simple_text"),
    input: none,
    annotations: hints,
    run: () => Effect.succeed("This is a simple text response for testing.")
  }),
  tool({
    ...about("test_error_handling"),
    input: none,
    annotations: hints,
    run: () => Effect.fail({ message: "This tool intentionally returns an error for testing" })
  })
]

/** Tools of ours answer with text; what the suite wants besides goes through the same request and transport. */
const contents = new Map<string, ReadonlyArray<object>>([
  ["test_image_content", [image]],
  ["test_audio_content", [audio]],
  ["test_embedded_resource", [embedded("test://embedded-resource", "text/plain", "This is an embedded resource.")]],
  [
    "test_multiple_content_types",
    [
      { type: "text", text: "Multiple content types test:" },
      image,
      embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}')
    ]
  ]
])

const schemaTool = {
  ...about("json_schema_2020_12_tool"),
  inputSchema: {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    $defs: { address: { type: "object", properties: { street: { type: "string" }, city: { type: "string" } } } },
    properties: { name: { type: "string" }, address: { $ref: "#/$defs/address" } },
    additionalProperties: false
  }
}

const withProgress = ({ progress }: Request) =>
  Effect.forEach([0, 50, 100], (step) => Effect.delay(progress({ progress: step, total: 100 }), "50 millis")).pipe(
    Effect.as({ content: [{ type: "text", text: "Done." }] })
  )

const callTool = (request: Request, name: string, input: unknown) => {
  const content = contents.get(name)
  if (content !== undefined) return Effect.succeed({ content })
  if (name === "test_tool_with_progress") return withProgress(request)
  const found = tools.find((one) => one.name === name)
  return found?.call(input) ?? Effect.fail(invalidParams(`unknown tool: ${name}`))
}

const text = (words: string) => ({ type: "text", text: words }) as const
const argument = Schema.String.annotations({ description: "A test argument" })

const prompts = [
  prompt({
    ...about("test_simple_prompt"),
    input: none,
    complete: {},
    run: () => Effect.succeed([text("This is a simple prompt for testing.")])
  }),
  prompt({
    ...about("test_prompt_with_arguments"),
    input: Schema.Struct({ arg1: argument, arg2: argument }),
    complete: { arg1: Effect.succeed(["paris", "park", "party"]) },
    run: ({ arg1, arg2 }) => Effect.succeed([text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)])
  }),
  prompt({
    ...about("test_prompt_with_embedded_resource"),
    input: Schema.Struct({ resourceUri: argument }),
    complete: {},
    run: ({ resourceUri: uri }) =>
      Effect.succeed([
        { type: "resource", resource: { uri, mimeType: "text/plain", text: "Embedded resource content for testing." } },
        text("Please process the embedded resource above.")
      ])
  })
]

/** Prompts of ours say text; a picture goes the same way. */
const imagePrompt = {
  messages: [image, text("Please analyze the image above.")].map((content) => ({ role: "user", content }))
}

const getPrompt = (name: string, input: unknown) => {
  if (name === "test_prompt_with_image") return Effect.succeed(imagePrompt)
  return prompts.find((one) => one.name === name)?.get(input) ?? Effect.fail(invalidParams(`unknown prompt: ${name}`))
}

const resources = [
  { uri: "test://static-text", name: "Static text", mimeType: "text/plain", text: "The content of the static text." },
  { uri: "test://static-binary", name: "Static binary", mimeType: "image/png", blob: image.data },
  { uri: "test://watched-resource", name: "Watched", mimeType: "text/plain", text: "Watched." }
]

const read = (uri: string) => {
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1]
  const data = { id, templateTest: true, data: `Data for ID: ${id}` }
  const found = resources.find((one) => one.uri === uri)
  if (id !== undefined) return { uri, mimeType: "application/json", text: JSON.stringify(data) }
  return found === undefined ? undefined : { ...found, name: undefined }
}

const Params = Schema.Struct({
  name: Schema.optionalWith(Schema.String, { default: () => "" }),
  uri: Schema.optionalWith(Schema.String, { default: () => "" }),
  arguments: Schema.Unknown
}).pipe(Schema.optionalWith({ default: () => ({ name: "", uri: "", arguments: undefined }) }))
const decode = Schema.decodeUnknown(Schema.Struct({ params: Params }))

const followed = new WeakMap<Client, Set<string>>()

const answer: App["answer"] = (request, client) =>
  Effect.gen(function* () {
    const { params } = yield* Effect.mapError(decode({ params: request.params }), () => invalidParams("invalid params"))
    const { arguments: input, name, uri } = params
    const subscriptions = followed.get(client) ?? new Set()
    followed.set(client, subscriptions)
    switch (request.method) {
      case "tools/list": {
        const others = [...contents.keys(), "test_tool_with_progress"].map((one) => ({
          ...about(one),
          inputSchema: { type: "object" }
        }))
        return { tools: [...tools.map(({ listing }) => listing), ...others, schemaTool] }
      }
      case "tools/call":
        return yield* callTool(request, name, input)
      case "prompts/list":
        return {
          prompts: [...prompts.map(({ listing }) => listing), { name: "test_prompt_with_image", description: "A dot." }]
        }
      case "prompts/get":
        return yield* getPrompt(name, input)
      case "completion/complete":
        return { completion: { values: yield* prompts[1]?.values("arg1") ?? Effect.succeed([]), hasMore: false } }
      case "resources/list":
        return {
          resources: resources.map(({ mimeType, name: named, uri: at }) => ({ uri: at, name: named, mimeType }))
        }
      case "resources/templates/list":
        return { resourceTemplates: [{ uriTemplate: "test://template/{id}/data", name: "Template" }] }
      case "resources/read": {
        const content = read(uri)
        return content === undefined ? yield* internalError(`no such resource: ${uri}`) : { contents: [content] }
      }
      case "resources/subscribe":
        subscriptions.add(uri)
        return {}
      case "resources/unsubscribe":
        subscriptions.delete(uri)
        return {}
      default:
        return yield* methodNotFound("method not found")
    }
  })

export const fixture: App = { answer, follow: () => Effect.never, odd: (reason) => Effect.logWarning(reason) }
