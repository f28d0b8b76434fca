import { describe, expect, it } from "@effect/vitest"
import { Either, FastCheck as fc, Schema } from "effect"
import { isExposed, isSameOrigin, originOf, parseServerUrl, ServerUrl } from "../../../src/model/sync/ServerUrl.ts"

const parse = (text: string): string =>
  Either.match(parseServerUrl(text), { onLeft: (e) => e.message, onRight: String })

const exposed = (text: string): boolean => isExposed(ServerUrl.make(text))

describe("a server's address", () => {
  it.each([
    ["https://Ctx.Example.COM/", "https://ctx.example.com"],
    ["https://ctx.example.com:443/team//", "https://ctx.example.com/team"],
    ["  http://127.0.0.1:4848/  ", "http://127.0.0.1:4848"],
    ["HTTP://localhost:80", "http://localhost"]
  ])("%j is written as %s", (given, written) => {
    expect(parse(given)).toBe(written)
  })

  it.each([
    ["", "it is empty"],
    ["localhost:4848", "must begin with https://"],
    ["ftp://example.com", "must begin with https://"],
    ["file:///etc/passwd", "must begin with https://"],
    ["https://", "it is not a URL"],
    ["https://user:hunter2@example.com", "user name or password"],
    ["https://@example.com", "user name or password"],
    ["https://example.com/?token=x", "query or a fragment"],
    ["https://example.com/#", "query or a fragment"],
    ["https://exa mple.com", "blanks"],
    ["https://example.com\n.evil.com", "blanks, control characters"],
    ["https://example.com\\@evil.com", "backslashes"],
    ["https://ex\u202eample.com", "control characters"]
  ])("%j is refused", (given, reason) => {
    expect(parse(given)).toContain(reason)
  })

  it("never shows a password in its refusal", () => {
    expect(parse("https://user:hunter2@example.com")).not.toContain("hunter2")
    expect(parse("ftp://user:hunter2@example.com")).not.toContain("hunter2")
  })

  it("is one only in its normal form, and normalising twice is normalising once", () => {
    expect(Schema.is(ServerUrl)("https://example.com/")).toBe(false)
    fc.assert(
      fc.property(fc.webUrl({ validSchemes: ["http", "https"] }), (url) => {
        const once = parse(url)
        expect(Schema.is(ServerUrl)(once)).toBe(true)
        expect(parse(once)).toBe(once)
      })
    )
  })

  it("has an origin, which a token is bound to", () => {
    const url = ServerUrl.make("https://example.com/team")
    expect(originOf(url)).toBe("https://example.com")
    expect(isSameOrigin(url, "https://EXAMPLE.com:443/other/")).toBe(true)
    for (const other of ["http://example.com", "https://example.com:8443", "https://sub.example.com", "", "no url"]) {
      expect(isSameOrigin(url, other)).toBe(false)
    }
  })

  it("is exposed where plain http leaves the machine", () => {
    expect(["http://example.com", "http://10.0.0.7:4848", "http://127.0.0.1.evil.com"].map(exposed)).toEqual([
      true,
      true,
      true
    ])
    expect(
      [
        "https://example.com",
        "http://localhost:4848",
        "http://127.0.0.9",
        "http://[::1]:4848",
        "http://ctx.localhost"
      ].map(exposed)
    ).toEqual([false, false, false, false, false])
  })
})
