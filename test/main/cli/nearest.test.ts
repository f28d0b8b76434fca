import { describe, expect, it } from "@effect/vitest"
import { nearest } from "../../../src/main/cli/frame/nearest.ts"

const commands = ["init", "login", "status", "push", "pull", "log", "write", "read", "diff", "version", "remote set"]

describe("the nearest command", () => {
  it.each([
    ["psuh", "push"],
    ["pul", "pull"],
    ["STATUS", "status"],
    ["vers", "version"],
    ["remote-set", "remote set"],
    ["wirte", "write"]
  ])("of %s is %s", (typed, meant) => expect(nearest(typed, commands)).toBe(meant))

  it("is nothing where there is nothing to choose from", () => expect(nearest("x", [])).toBeUndefined())
})
