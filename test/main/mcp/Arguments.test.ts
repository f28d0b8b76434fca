import { describe, expect, it } from "@effect/vitest"
import { Either, FastCheck as fc, Schema } from "effect"
import { decoder } from "../../../src/main/mcp/Arguments.ts"
import { jsonSchema } from "../../../src/main/mcp/Tool.ts"
import { PageType } from "../../../src/model/page/PageType.ts"

const Input = Schema.Struct({
  slug: Schema.String,
  type: Schema.optional(PageType),
  tags: Schema.optional(Schema.Array(Schema.String)),
  note: Schema.optional(Schema.String),
  full: Schema.optional(Schema.Boolean),
  limit: Schema.optional(Schema.Int.pipe(Schema.between(1, 50)))
})
const decode = decoder(Input)
const right = (input: unknown) => Either.getOrThrowWith(decode(input), (reason) => new Error(reason))
const left = (input: unknown) => Either.getOrThrowWith(Either.flip(decode(input)), () => new Error("was accepted"))

describe("A28: arguments as models send them", () => {
  it("are taken as they are where they fit", () => {
    const exact = { slug: "a", type: "concept", tags: ["x", "y"], note: "null and void", full: false, limit: 5 }
    expect(right(exact)).toEqual(exact)
  })

  it.each<[string, unknown, unknown]>([
    ["a list as JSON text", { tags: '["a","b"]' }, { tags: ["a", "b"] }],
    ["a list of one bare word", { tags: "billing" }, { tags: ["billing"] }],
    ["numbers in a list of texts", { tags: [2026, "a"] }, { tags: ["2026", "a"] }],
    ["an empty list", { tags: [] }, { tags: [] }],
    ["an empty list as JSON text", { tags: "[]" }, { tags: [] }],
    ['["null"] for nothing', { tags: ["null"] }, {}],
    ["[null] for nothing", { tags: [null] }, {}],
    ["null as text for nothing", { tags: "null", type: "null", note: "null", limit: "null", full: "null" }, {}],
    ["null for nothing", { tags: null, type: null, note: null, limit: null, full: null }, {}],
    ["empty text for nothing", { tags: "", type: "", note: "", limit: "", full: "" }, {}],
    ["a number as text", { limit: "5" }, { limit: 5 }],
    ["a boolean as text", { full: "True" }, { full: true }],
    ["a choice in other case or in quotes", { type: '"Concept"' }, { type: "concept" }],
    ["an unknown argument that says nothing", { extra: null, other: "" }, {}]
  ])("%s", (_kind, given, expected) => {
    expect(right({ slug: "s", ...Object(given) })).toEqual({ slug: "s", ...Object(expected) })
  })

  it("a number where a text is wanted is its digits", () => {
    expect(right({ slug: 1458 })).toEqual({ slug: "1458" })
  })

  it("all of them as one JSON text, or none at all", () => {
    expect(right('{"slug":"a","limit":"5"}')).toEqual({ slug: "a", limit: 5 })
    const none = decoder(Schema.Struct({}))
    for (const nothing of [undefined, null, "", "null", {}]) expect(none(nothing)).toEqual(Either.right({}))
  })
})

describe("arguments that cannot be meant", () => {
  it.each<[unknown, string]>([
    [{}, "slug is required"],
    [{ slug: "" }, "slug is required"],
    [{ slug: null }, "slug is required"],
    [{ slug: ["a"] }, 'slug must be a string, not ["a"]'],
    [{ slug: "a", type: "page" }, 'invalid type "page" (want concept|entity|analysis|source)'],
    [{ slug: "a", tags: "a, b" }, 'tags must be a list of strings, like ["billing", "retry"], not "a, b"'],
    [{ slug: "a", tags: [{ a: 1 }] }, 'tags must be a list of strings, like ["billing", "retry"], not [{"a":1}]'],
    [{ slug: "a", limit: "many" }, 'limit must be a number, like 5, not "many"'],
    [{ slug: "a", full: "yes" }, 'full must be true or false, not "yes"'],
    [{ slug: "a", sulg: "b" }, 'unknown argument "sulg" (the arguments are slug, type, tags, note, full, limit)'],
    [["a"], 'the arguments must be one object, like {"slug": "retry-rule"}, not ["a"]'],
    ["slug: a", 'the arguments must be one object, like {"slug": "retry-rule"}, not "slug: a"']
  ])("%j is refused by name and with the right form", (given, reason) => {
    expect(left(given)).toBe(reason)
  })

  it("are refused by their bounds, too", () => {
    expect(left({ slug: "a", limit: 51 })).toContain("limit: ")
  })

  it("are shown short, on one line, and without what could fool a reader", () => {
    const reason = left({ slug: "a", full: `\u202E<PUSH_PAUSED>\n${"🟡".repeat(300)}` })
    expect(reason).not.toMatch(/[\n\u202E]|<PUSH_PAUSED>/u)
    expect([...reason].length).toBeLessThan(150)
    expect(reason.isWellFormed()).toBe(true)
  })
})

it("never throws, and what it accepts has the schema's type", () => {
  const valid = Schema.is(Input)
  fc.assert(
    fc.property(
      fc.anything(),
      fc.dictionary(fc.constantFrom("slug", "type", "tags", "full", "limit"), fc.anything()),
      (any, some) => {
        for (const input of [any, some]) {
          const result = decode(input)
          if (Either.isRight(result)) expect(valid(result.right)).toBe(true)
          else expect(typeof result.left).toBe("string")
        }
      }
    )
  )
})

it("the listed schema names types, choices and what is required, without references", () => {
  expect(jsonSchema(Input)).toMatchObject({
    type: "object",
    required: ["slug"],
    additionalProperties: false,
    properties: {
      slug: { type: "string" },
      type: { enum: ["concept", "entity", "analysis", "source"] },
      tags: { type: "array", items: { type: "string" } },
      full: { type: "boolean" },
      limit: { type: "integer", minimum: 1, maximum: 50 }
    }
  })
  expect(JSON.stringify(jsonSchema(Input))).not.toContain("$ref")
})
