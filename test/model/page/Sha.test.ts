import { describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { expect } from "vitest"
import { Sha, short, short8 } from "../../../src/model/page/Sha.ts"

describe("a sha", () => {
  it.each(["0123456", "0123456789abcdef0123456789abcdef01234567", "f".repeat(64)])("may be %s", (text) => {
    expect(Schema.is(Sha)(text)).toBe(true)
  })

  // A30: nothing that git could take for an option, and nothing that changes a URL.
  it.each(["", "abcdef", "0123456Z", "ABCDEF0", "--output=/tmp/x", "HEAD", "0123456\n", "../0123456", "f".repeat(65)])(
    "may not be %j",
    (text) => {
      expect(Schema.is(Sha)(text)).toBe(false)
    }
  )

  it("is shown with seven digits, and with eight in status lines", () => {
    const sha = Sha.make("0123456789abcdef0123456789abcdef01234567")
    expect([short(sha), short8(sha)]).toEqual(["0123456", "01234567"])
  })
})
