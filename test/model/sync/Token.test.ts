import { describe, expect, it } from "@effect/vitest"
import { Either, Redacted } from "effect"
import { hintOf, kindOf, parseToken } from "../../../src/model/sync/Token.ts"

describe("a token", () => {
  it.each([
    ["ctxp_abc", "personal access token"],
    ["ctxi_abc", "invite key (NOT for CLI use)"],
    ["eyJh.eyJz.c2ln", "session token"],
    ["dev-key", "legacy API key"],
    ["one.dot", "legacy API key"],
    ["a.b.c.d", "legacy API key"]
  ])("%s is a %s", (text, kind) => {
    expect(kindOf(Redacted.make(text))).toBe(kind)
  })

  it("may have blanks and a line end around it", () => {
    expect(Either.map(parseToken("  ctxp_abc\r\n"), Redacted.value)).toEqual(Either.right("ctxp_abc"))
  })

  it.each([
    "",
    " \n",
    "ctxp_a\nHost: evil",
    "ctxp_a\r\nb",
    "ctxp_\u0000",
    "ctxp_\u001b[0m",
    "ctxp_é",
    "ctxp_\u200b",
    "x".repeat(9000)
  ])("%j is none, and the refusal does not show it", (text) => {
    const message = Either.match(parseToken(text), {
      onLeft: (refused) => refused.message,
      onRight: () => "it was taken"
    })
    expect(message).toMatch(/^invalid token: it /)
    expect(message).not.toMatch(/ctxp_|xxxx/)
  })

  it("is shown by its ends alone, and a short one not at all", () => {
    expect(hintOf(Redacted.make("ctxp_0123456789abcdef"))).toBe("ctxp...cdef")
    expect(hintOf(Redacted.make("dev-key"))).toBe("****")
  })
})
