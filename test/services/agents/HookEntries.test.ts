import { describe, expect, it } from "@effect/vitest"
import { Either, FastCheck as fc, Option } from "effect"
import { parse } from "jsonc-parser"
import { undoOf } from "../../../src/services/agents/Change.ts"
import type { Edit } from "../../../src/services/agents/Edit.ts"
import { jsonHooks } from "../../../src/services/agents/HookEntries.ts"
import { takeOut } from "../../support/edits.ts"

const claude = jsonHooks({ agent: "claude", events: ["Stop", "SessionEnd"], layout: "groups", timeout: 30 })
const cursor = jsonHooks({ agent: "cursor", events: ["beforeSubmitPrompt", "stop"], layout: "flat", version: 1 })

const wired = (edit: Edit, text: string) =>
  Either.getOrThrowWith(edit.wire(Option.some(text)), (reason) => new Error(reason))
const plain = (edit: Edit, text: string) => Either.getOrThrow(edit.unwire(text))
const andBack = (edit: Edit, text: string) => {
  const { after } = wired(edit, text)
  return Either.getOrThrow(takeOut(edit, after, Option.some(undoOf(Option.some(text), after))))
}

describe("our hooks in a host's JSON settings", () => {
  it("make the file where there is none, and take it away again", () => {
    const { after, change } = Either.getOrThrow(cursor.wire(Option.none()))
    expect(change).toBe("created")
    expect(JSON.parse(after)).toEqual({
      version: 1,
      hooks: {
        beforeSubmitPrompt: [{ command: "ctx-mcp hook --agent cursor" }],
        stop: [{ command: "ctx-mcp hook --agent cursor" }]
      }
    })
    expect(cursor.find(after)).toEqual(Either.right("wired"))
    expect(plain(cursor, after)).toEqual(Option.none())
    expect(Either.getOrThrow(takeOut(cursor, after, Option.some(undoOf(Option.none(), after))))).toEqual(Option.none())
  })

  it("stand beside the hooks of others; comments, order and layout stay", () => {
    const before = [
      "{",
      '\t"permissions": {"allow": ["Bash(git *)"]}, // mine',
      '\t"hooks": {',
      '\t\t"Stop": [',
      '\t\t\t{ "matcher": "", "hooks": [{ "type": "command", "command": "say done" }] } /* loud */',
      "\t\t]",
      "\t}",
      "}"
    ].join("\r\n")
    const { after } = wired(claude, before)
    expect(after).toContain('"matcher": "", "hooks": [{ "type": "command", "command": "say done" }] }, /* loud */')
    expect(after).not.toMatch(/[^\r]\n/)
    const handler = { type: "command", command: "ctx-mcp hook --agent claude", timeout: 30 }
    expect(parse(after).hooks.Stop[1]).toEqual({ hooks: [handler] })
    expect(parse(after).hooks.SessionEnd).toEqual([{ hooks: [handler] }])
    expect(wired(claude, after)).toEqual({ after, change: "present" })
    expect(andBack(claude, before)).toEqual(Option.some(before))
    expect(parse(Option.getOrThrow(plain(claude, after)))).toEqual(parse(before))
  })

  it("take the place of the Go client's, and go with their empty groups", () => {
    const go = `{"hooks":{"Stop":[{"matcher":"","hooks":[{"type":"command","command":"ctx capture turn","_contexo":"contexo-capture-turn"}]}]},"model":"x"}`
    expect(claude.find(go)).toEqual(Either.right("stale"))
    const { after, change } = wired(claude, go)
    expect(change).toBe("replaced")
    expect(after).not.toContain("capture turn")
    expect(JSON.parse(after).hooks.Stop[0].matcher).toBe("")
    expect(plain(claude, after)).toEqual(Option.some('{"model":"x"}'))
    const goCursor = `{\n  "version": 1,\n  "hooks": {\n    "afterAgentResponse": [\n      {\n        "command": "ctx capture turn --agent cursor"\n      }\n    ]\n  }\n}\n`
    expect(plain(cursor, goCursor)).toEqual(Option.none())
  })

  it("are left as they are where they run ctx-mcp in a way of their own", () => {
    for (const command of ["npx -y ctx-mcp hook --agent claude", "/opt/node/bin/ctx-mcp hook --agent claude"]) {
      const text = JSON.stringify({
        hooks: Object.fromEntries(["Stop", "SessionEnd"].map((one) => [one, [{ hooks: [{ command }] }]]))
      })
      expect(wired(claude, text)).toEqual({ after: text, change: "present" })
    }
  })

  it.each([
    ['{"hooks": []}', 'its "hooks" is not an object'],
    ['{"hooks": {"Stop": {}}}', 'its hooks for "Stop" are not a list'],
    ['{"hooks": ', "it is not valid JSON"],
    ['{"hooks": {}, "hooks": {}}', "twice"]
  ])("are not put into %s", (text, reason) => {
    expect(Either.getOrThrow(Either.flip(claude.wire(Option.some(text))))).toContain(reason)
  })

  const command = fc.constantFrom("say done", "ctx-mcp-other hook", "ctx capture", "node hook.js")
  const group = fc.record(
    { matcher: fc.string(), hooks: fc.array(fc.record({ type: fc.constant("command"), command }), { maxLength: 2 }) },
    { requiredKeys: ["hooks"] }
  )
  const event = fc.constantFrom("Stop", "SessionEnd", "PreToolUse", "stop")
  const document = fc.record(
    {
      a: fc.jsonValue({ maxDepth: 1 }),
      version: fc.constant(1),
      hooks: fc.dictionary(event, fc.array(group, { maxLength: 2 }), { maxKeys: 3 }),
      b: fc.jsonValue({ maxDepth: 1 })
    },
    { requiredKeys: [] }
  )
  const written = fc
    .tuple(document, fc.constantFrom("", "  ", "\t"), fc.constantFrom("\n", "\r\n"), fc.constantFrom("", "\uFEFF"))
    .map(([value, unit, eol, bom]) => bom + JSON.stringify(value, null, unit).replaceAll("\n", eol))

  it("go without a trace from any document, and change nothing else in it", () => {
    fc.assert(
      fc.property(written, fc.constantFrom(claude, cursor), (before, edit) => {
        const { after } = wired(edit, before)
        expect(wired(edit, after)).toEqual({ after, change: "present" })
        expect(andBack(edit, before)).toEqual(Option.some(before))
        expect(edit.find(after)).toEqual(Either.right("wired"))
        const rest = plain(edit, after)
        expect(Option.map(rest, edit.find)).toEqual(Option.map(rest, () => Either.right("absent")))
      }),
      { numRuns: 200 }
    )
  })
})
