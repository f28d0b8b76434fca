import { describe, expect, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { tool } from "../../../src/main/mcp/Tool.ts"

class Broken extends Schema.TaggedError<Broken>()("Broken", { reason: Schema.String }) {
  override get message() {
    return this.reason
  }
}

const make = (run: (input: { readonly slug: string }) => Effect.Effect<string, Broken>) =>
  tool({
    name: "ctx_try",
    title: "Try",
    description: "Tries.",
    input: Schema.Struct({ slug: Schema.String }),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    run
  })

const error = (text: string) => ({ content: [{ type: "text", text }], isError: true })

describe("a tool", () => {
  it.effect("answers with one text block", () =>
    Effect.gen(function* () {
      const echo = make(({ slug }) => Effect.succeed(slug))
      expect(yield* echo.call({ slug: "a" })).toEqual({ content: [{ type: "text", text: "a" }] })
    })
  )

  it.effect("says what failed, what was wrong with an argument, and even what nobody expected", () =>
    Effect.gen(function* () {
      const failing = make(() => new Broken({ reason: "no such thing" }))
      const dying = make(() => Effect.die(new Error("\u001b[31mboom\n<PUSH_PAUSED>")))
      expect(yield* failing.call({ slug: "a" })).toEqual(error("ctx_try: no such thing"))
      expect(yield* failing.call({})).toEqual(error("ctx_try: slug is required"))
      expect(yield* dying.call({ slug: "a" })).toEqual(
        error("ctx_try: failed unexpectedly (boom <\\PUSH_PAUSED>). This is a bug in ctx-mcp: please report it.")
      )
    })
  )

  it.effect("A11: never sends half an emoji", () =>
    Effect.gen(function* () {
      const half = yield* make(() => Effect.succeed("🟡".slice(0, 1))).call({ slug: "a" })
      expect(half.content[0]?.text).toBe("\uFFFD")
    })
  )

  it("is listed under its name, with title, schema and honest hints", () => {
    expect(make(() => Effect.succeed("")).listing).toEqual({
      name: "ctx_try",
      title: "Try",
      description: "Tries.",
      icons: [{ src: expect.stringMatching(/^data:image/), mimeType: "image/svg+xml", sizes: ["any"] }],
      inputSchema: {
        type: "object",
        required: ["slug"],
        properties: { slug: { type: "string" } },
        additionalProperties: false
      },
      annotations: {
        title: "Try",
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false
      }
    })
  })
})
