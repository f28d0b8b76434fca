import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openTranscript, type ReadOptions } from "../../../src/services/transcripts/TranscriptReaderDriver.ts"

const file = Effect.acquireRelease(
  Effect.sync(() => join(mkdtempSync(join(tmpdir(), "ctx-reader-")), "t.jsonl")),
  (path) => Effect.sync(() => rmSync(join(path, ".."), { recursive: true }))
)

const linesOf = (path: string, from = 0, options: ReadOptions = {}) => {
  const transcript = openTranscript(path)
  const lines = [...transcript.lines(from, options)]
  transcript.close()
  return lines
}

const cursorAt = (path: string, offset: number) => {
  const transcript = openTranscript(path)
  const cursor = transcript.cursor(offset)
  transcript.close()
  return cursor
}

const resumed = (path: string, cursor: ReturnType<typeof cursorAt>) => {
  const transcript = openTranscript(path)
  const from = transcript.resume(cursor)
  transcript.close()
  return from
}

describe("reading a transcript from a byte on", () => {
  it.scoped("gives exact lines with their offsets: CRLF, a BOM at the begin, bytes that are no UTF-8, long ones", () =>
    Effect.gen(function* () {
      const path = yield* file
      const long = "🟡".repeat(200_000)
      writeFileSync(
        path,
        Buffer.concat([Buffer.from("\uFEFFone\r\n"), Buffer.from([0x61, 0xff, 0x0a]), Buffer.from(`${long}\nlast`)])
      )
      expect(linesOf(path).map(({ ended, offset, text }) => [offset, text, ended])).toEqual([
        [0, "one\r", true],
        [8, "a\uFFFD", true],
        [11, long, true],
        [800_012, "last", false]
      ])
      expect(linesOf(path, 8)[0]?.text).toBe("a\uFFFD")
    })
  )

  it.scoped("A35: cuts the strings of a line of megabytes, and passes over what stays long", () =>
    Effect.gen(function* () {
      const path = yield* file
      const image = JSON.stringify({ type: "user", image: "A".repeat(5e6), text: "why?" })
      const list = JSON.stringify(Array.from({ length: 1e6 }, () => "abcdefgh"))
      writeFileSync(path, `${image}\n${list}\n{"n":1}\n`)
      const [first, second, third] = linesOf(path, 0, { maxString: 1000 })
      expect(JSON.parse(first?.text ?? "")).toEqual({ type: "user", image: "A".repeat(1000), text: "why?" })
      expect(second).toMatchObject({ text: "", tooLong: true, offset: image.length + 1 })
      expect(third?.text).toBe('{"n":1}')
    })
  )

  it.scoped("goes on where it was while the file grows, and from the begin once it is another", () =>
    Effect.gen(function* () {
      const path = yield* file
      writeFileSync(path, "one\ntwo\n")
      const cursor = cursorAt(path, 4)
      expect(resumed(path, cursor)).toBe(4)
      appendFileSync(path, "three\n")
      expect(resumed(path, cursor)).toBe(4)
      writeFileSync(path, "one\n")
      expect(resumed(path, cursorAt(path, 4))).toBe(4)
      expect(resumed(path, { ...cursor, offset: 8 })).toBe(0)
      writeFileSync(path, "ONE\ntwo\nthree\n")
      expect(resumed(path, cursor)).toBe(0)
    })
  )
})
