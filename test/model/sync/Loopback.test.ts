import { describe, expect, it } from "@effect/vitest"
import { isLoopback } from "../../../src/model/sync/Loopback.ts"

describe("a host that only this machine reaches", () => {
  it.each(["localhost", "LocalHost", "127.0.0.1", "127.0.0.2", "127.255.255.254", "::1", "[::1]"])("%s", (host) =>
    expect(isLoopback(host)).toBe(true)
  )
  it.each([
    "",
    "0.0.0.0",
    "::",
    "128.0.0.1",
    "127.0.0",
    "127.0.0.256",
    "127.0.0.1.evil.example",
    "evil.example",
    "localhost.evil.example",
    "a.localhost",
    "[::1",
    "::1%lo",
    "127.0.0.1\n"
  ])("not %j", (host) => expect(isLoopback(host)).toBe(false))
})
