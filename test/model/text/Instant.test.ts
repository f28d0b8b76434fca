import { describe, it } from "@effect/vitest"
import { Option } from "effect"
import { expect } from "vitest"
import { httpDate, instantOf, sameInstant } from "../../../src/model/text/Instant.ts"

describe("the instant of a time stamp", () => {
  it("is told in nanoseconds", () => {
    expect(instantOf("1970-01-01T00:00:01.000000002Z")).toEqual(Option.some(1_000_000_002n))
  })

  it("is the same however it is written", () => {
    expect(sameInstant("2026-07-05T09:00:00.5Z", "2026-07-05T11:00:00.500+02:00")).toBe(true)
    expect(sameInstant("2026-07-05", "2026-07-05 00:00:00")).toBe(true)
    expect(sameInstant("2026-07-05T09:00:00-03:30", "2026-07-05t12:30:00z")).toBe(true)
  })

  it("differs by a nanosecond", () => {
    expect(sameInstant("2026-07-05T09:00:00.000000001Z", "2026-07-05T09:00:00.000000002Z")).toBe(false)
  })

  it("is None for what is no time stamp", () => {
    for (const text of [
      "",
      "today",
      "2026",
      "2026-06-31",
      "2026-13-01",
      "2026-07-05T25:00:00Z",
      "2026-07-05T09:00",
      "v2026-07-05"
    ]) {
      expect(instantOf(text)).toEqual(Option.none())
    }
    expect(sameInstant("a", "a")).toBe(false)
  })
})

describe("the date of an HTTP header", () => {
  it("is told in milliseconds, and None where it is none", () => {
    expect(httpDate("Sun, 06 Nov 1994 08:49:37 GMT")).toEqual(Option.some(784_111_777_000))
    for (const text of ["", "120", "1994-11-06", "Sun, 06 Nev 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37"]) {
      expect(httpDate(text)).toEqual(Option.none())
    }
  })
})
