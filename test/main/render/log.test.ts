import { describe, expect, it } from "@effect/vitest"
import { logJson, logText } from "../../../src/main/render/log.ts"
import { Sha } from "../../../src/model/page/Sha.ts"

const commit = {
  sha: Sha.make("a4b2c1d3".padEnd(40, "0")),
  author: "Ada",
  email: "ada@example.com",
  time: "2026-11-30T21:05:09Z",
  message: "billing: retry rule"
}

describe("ctx log", () => {
  it("prints one line a commit", () => {
    expect(logText([commit, { ...commit, message: "two\nlines \u001b[2J" }])).toBe(
      "a4b2c1d3  2026-11-30 21:05  Ada — billing: retry rule\na4b2c1d3  2026-11-30 21:05  Ada — two lines"
    )
  })

  it("says when there is nothing yet", () => expect(logText([])).toBe("No commits yet"))

  it("gives the server's shape as JSON", () => expect(logJson([commit])).toEqual({ commits: [commit] }))
})
