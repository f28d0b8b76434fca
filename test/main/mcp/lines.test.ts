import { describe, expect, it } from "@effect/vitest"
import { FastCheck as fc, Option } from "effect"
import { type Line, lineReader } from "../../../src/main/mcp/lines.ts"

/** What a reader makes of these bytes, given in pieces of these sizes. */
const readAll = (bytes: Uint8Array, sizes: ReadonlyArray<number>, longest = 1_000) => {
  const lines: Array<Line> = []
  const bad: Array<string> = []
  const read = lineReader(
    longest,
    (line) => lines.push(line),
    (reason) => bad.push(reason)
  )
  let from = 0
  for (const size of [...sizes, bytes.length]) {
    read(bytes.subarray(from, from + size))
    from += size
  }
  return { lines, bad }
}

const bytesOf = (text: string) => new TextEncoder().encode(text)
const value = (one: unknown): Line => ({ _tag: "Value", value: one })

describe("lines of JSON", () => {
  it("come whole, however the bytes are cut", () => {
    const text = '{"a":"🟡é"}\n\r\n  \n[1]\r\n"x\\u0000"\n'
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 5 })), (sizes) => {
        const { bad, lines } = readAll(bytesOf(text), sizes)
        expect(lines).toEqual([value({ a: "🟡é" }), value([1]), value("x\u0000")])
        expect(bad).toEqual([])
      })
    )
  })

  it("that are no JSON are named, and the next one is read", () => {
    const { bad, lines } = readAll(bytesOf('hello\n{"a":\n{"a":1}\n{"unfinished":1'), [])
    expect(lines).toEqual([value({ a: 1 })])
    expect(bad).toHaveLength(2)
  })
})

const long = (request: object) => bytesOf(`${JSON.stringify(request)}\n{"next":1}\n`)

describe("a line that is too long", () => {
  const filler = "x".repeat(5_000)

  it("is left out, the next one is read, and its id is found where clients write it", () => {
    const requests = [
      { jsonrpc: "2.0", id: 7, method: "m", params: { body: `${filler}"id":9}` } },
      { method: "m", params: { body: filler, id: 9 }, jsonrpc: "2.0", id: 7 },
      { id: 7, method: "m", params: { body: filler } }
    ]
    for (const request of requests) {
      for (const size of [1, 100, 100_000]) {
        const sizes = Array.from({ length: Math.ceil(6_000 / size) }, () => size)
        expect(readAll(long(request), sizes).lines).toEqual([
          { _tag: "TooLong", id: Option.some(7) },
          value({ next: 1 })
        ])
      }
    }
  })

  it("without an id that can be told apart is left out all the same", () => {
    const { lines } = readAll(long({ method: "m", params: { body: filler } }), [])
    expect(lines).toEqual([{ _tag: "TooLong", id: Option.none() }, value({ next: 1 })])
  })

  it("is read where it just fits", () => {
    const exact = JSON.stringify({ a: "x".repeat(992) })
    expect(bytesOf(exact).length).toBe(1_000)
    expect(readAll(bytesOf(`${exact}\n`), []).lines).toHaveLength(1)
    expect(readAll(bytesOf(`${exact.replace("x", "xx")}\n`), []).lines).toEqual([
      { _tag: "TooLong", id: Option.none() }
    ])
  })
})
