import { describe, expect, it } from "@effect/vitest"
import { Either, FastCheck as fc, Option } from "effect"
import { parse } from "jsonc-parser"
import { type Edited, undoOf } from "../../../src/services/agents/Change.ts"
import { mcpEntry, mcpServers } from "../../../src/services/agents/McpEntry.ts"
import { takeOut } from "../../support/edits.ts"

const { wire } = mcpServers

const wired = (text: string): Edited => Either.getOrThrowWith(wire(Option.some(text)), (reason) => new Error(reason))
const reason = (text: string): string =>
  Either.match(wire(Option.some(text)), { onLeft: String, onRight: () => "it was edited" })
const unwired = (text: string, undo = Option.none<ReturnType<typeof undoOf>>()): Option.Option<string> =>
  Either.getOrThrowWith(takeOut(mcpServers, text, undo), (why) => new Error(why))

/** Wires and undoes exactly. */
const there = (text: string) => wired(text).after
const andBack = (text: string) => unwired(there(text), Option.some(undoOf(Option.some(text), there(text))))

const withoutOurs = (value: unknown): unknown => {
  const { mcpServers } = JSON.parse(JSON.stringify(value))
  return mcpServers === undefined || Object.keys(mcpServers).length === 0 ? undefined : mcpServers
}

describe("our entry in an agent's MCP file", () => {
  it("makes the file where there is none, and takes it away again", () => {
    const { after, change } = Either.getOrThrow(wire(Option.none()))
    expect(change).toBe("created")
    expect(after).toBe(`{
  "mcpServers": {
    "contexo": {
      "command": "npx",
      "args": [
        "-y",
        "ctx-mcp"
      ]
    }
  }
}
`)
    expect(unwired(after, Option.some(undoOf(Option.none(), after)))).toEqual(Option.none())
    expect(unwired(after)).toEqual(Option.none())
  })

  it("stands beside other servers; keys, comments, order, tabs and CRLF stay byte for byte", () => {
    const before = [
      "// our servers",
      "{",
      '\t"$schema" : "x", /* odd   spacing */',
      '\t"mcpServers": {',
      '\t\t"zeta": { "command":"z" },  // last for a reason',
      '\t\t"alpha": {"url": "https://a.example"} // and this one too',
      "\t},",
      '\t"other": [1,   2]',
      "}"
    ].join("\r\n")
    const after = there(before)
    expect(after).toBe(
      before.replace(
        '"alpha": {"url": "https://a.example"} // and this one too',
        [
          '"alpha": {"url": "https://a.example"}, // and this one too',
          '\t\t"contexo": {',
          '\t\t\t"command": "npx",',
          '\t\t\t"args": [',
          '\t\t\t\t"-y",',
          '\t\t\t\t"ctx-mcp"',
          "\t\t\t]",
          "\t\t}"
        ].join("\r\n")
      )
    )
    expect(andBack(before)).toEqual(Option.some(before))
    expect(unwired(after)).toEqual(Option.some(before))
  })

  it.each([
    ["{}", '{\n  "mcpServers": {\n'],
    ['{"a":1}', '{"a":1, "mcpServers": {"contexo": {"command": "npx", "args": ["-y", "ctx-mcp"]}}}'],
    ['{"mcpServers":{},"a":1}', '{"mcpServers":{"contexo": {"command": "npx", "args": ["-y", "ctx-mcp"]}},"a":1}'],
    ['{\n    "a": 1,\n}\n', '{\n    "a": 1,\n    "mcpServers": {\n        "contexo": {\n'],
    ["{\n  // none yet\n}", '{\n  // none yet\n  "mcpServers": {\n'],
    ['{ "mcpServers": { /* none yet */ } }', '{ "mcpServers": { /* none yet */ "contexo": {"command"'],
    ['\uFEFF{\n "a": 1\n}', '\uFEFF{\n "a": 1,\n "mcpServers": {\n  "contexo": {\n'],
    [
      '{"mcpServers": {"a": {},}}',
      '{"mcpServers": {"a": {}, "contexo": {"command": "npx", "args": ["-y", "ctx-mcp"]}}}'
    ],
    ["", '{\n  "mcpServers": {\n'],
    [" \n", '{\n  "mcpServers": {\n']
  ])("goes into %j in its own layout, and comes out again exactly", (before, begins) => {
    const { after, change } = wired(before)
    expect(change).toBe("added")
    expect(after.slice(0, begins.length)).toBe(begins)
    expect(wired(after)).toEqual({ after, change: "present" })
    expect(andBack(before)).toEqual(Option.some(before))
  })

  it("takes the place of the Go client's, and further keys stay", () => {
    const before = `{
  "mcpServers": {
    "contexo": {
      "type": "stdio",
      "command": "ctx", // the old one
      "args": ["mcp"],
      "env": { "CONTEXO_DRIFT_DISABLE": "1" }
    },
    "other": {}
  }
}
`
    expect(wired(before)).toEqual({
      change: "replaced",
      after: before.replace('"ctx"', '"npx"').replace('["mcp"]', '["-y", "ctx-mcp"]')
    })
    expect(unwired(there(before))).toEqual(Option.some('{\n  "mcpServers": {\n    "other": {}\n  }\n}\n'))
  })

  it.each([
    [
      '{"mcpServers":{"contexo":{"command":"ctx"}}}',
      '{"mcpServers":{"contexo":{"command":"npx", "args": ["-y", "ctx-mcp"]}}}'
    ],
    ['{"mcpServers":{"contexo":null}}', '{"mcpServers":{"contexo":{"command": "npx", "args": ["-y", "ctx-mcp"]}}}'],
    [
      '{"mcpServers":{"contexo":{"command":"/opt/ctx","args":["mcp","--verbose"]}}}',
      '{"mcpServers":{"contexo":{"command":"npx","args":["-y", "ctx-mcp"]}}}'
    ]
  ])("takes the place of %s", (before, after) => {
    expect(wired(before)).toEqual({ change: "replaced", after })
  })

  it.each([
    JSON.stringify({ mcpServers: { contexo: mcpEntry } }),
    '{"mcpServers":{"contexo":{"args":["-y","ctx-mcp"],"command":"npx","env":{}}}}',
    '{"mcpServers":{"contexo":{"command":"npx","args":["-y","ctx-mcp@0.1.0"]}}}',
    '{"mcpServers":{"contexo":{"command":"ctx-mcp"}}}',
    '{"mcpServers":{"contexo":{"command":"node","args":["/src/dist/bin/ctx-mcp.cjs"]}}}',
    '{"mcpServers":{"contexo":{"type":"http","url":"http://127.0.0.1:4849/mcp"}}}'
  ])("is there already in %s", (text) => {
    expect(wired(text)).toEqual({ after: text, change: "present" })
  })

  it.each([
    ["[]", "JSON object"],
    ['"text"', "JSON object"],
    ['{"a": 1', "line 1"],
    ['{\n"a": 1\n"b": 2}', "line 3"],
    ["<<<<<<< HEAD\n{}", "line 1"],
    ['{"mcpServers": []}', '"mcpServers" is not an object'],
    ['{"mcpServers": null}', '"mcpServers" is not an object'],
    ['{"mcpServers": {}, "mcpServers": {}}', '"mcpServers" twice'],
    ['{"mcpServers": {"contexo": {}, "contexo": {}}}', '"contexo" twice'],
    ["[".repeat(200_000), "nested too deeply"]
  ])("does not go into %j", (text, why) => {
    expect(reason(text)).toContain(why)
  })

  it("comes out alone, whatever was added around it since", () => {
    const before = '{\n  "mcpServers": {\n    "a": {}\n  }\n}\n'
    const after = there(before)
    const undo = Option.some(undoOf(Option.some(before), after))
    const later = after.replace(/\n {2}\}\n\}\n$/, ',\n    "b": {} // new\n  }\n}\n')
    expect(parse(later)).toHaveProperty("mcpServers.b")
    expect(unwired(later, undo)).toEqual(
      Option.some('{\n  "mcpServers": {\n    "a": {},\n    "b": {} // new\n  }\n}\n')
    )
    const reformatted = JSON.stringify(JSON.parse(after))
    expect(unwired(reformatted, undo)).toEqual(Option.some('{"mcpServers":{"a":{}}}'))
    expect(unwired(before, undo)).toEqual(Option.some(before))
  })

  it("never slides what follows into a comment", () => {
    const text =
      '{"mcpServers": {"a": {}, // why\n  "contexo": {"command": "npx", "args": ["-y", "ctx-mcp"]} }, "z": 1}'
    const rest = Option.getOrThrow(unwired(text))
    expect(parse(rest, [], { allowTrailingComma: true })).toEqual({ mcpServers: { a: {} }, z: 1 })
  })

  const layout = fc.constantFrom("", " ", "  ", "    ", "\t", "comma")
  const servers = fc.dictionary(
    fc.string().filter((key) => key !== "contexo"),
    fc.jsonValue({ maxDepth: 2 }),
    { maxKeys: 3 }
  )
  const document = fc.record(
    { before: fc.jsonValue({ maxDepth: 2 }), mcpServers: servers, after: fc.jsonValue({ maxDepth: 2 }) },
    { requiredKeys: [] }
  )
  const written = fc
    .tuple(document, layout, fc.constantFrom("\n", "\r\n"), fc.constantFrom("", "\n"))
    .map(([value, unit, eol, end]) => {
      const text = JSON.stringify(value, null, unit === "comma" ? 2 : unit)
      const styled = unit === "comma" ? text.replace(/([^{[,\s])(\n\s*[}\]])/g, "$1,$2") : text
      return styled.replaceAll("\n", eol) + end
    })

  it("changes nothing else in any document, is found again, and its undo is exact", () => {
    fc.assert(
      fc.property(written, (before) => {
        const value: unknown = parse(before, [], { allowTrailingComma: true })
        const after = there(before)
        const expected = JSON.parse(JSON.stringify(value))
        expected.mcpServers = { ...expected.mcpServers, contexo: mcpEntry }
        expect(parse(after, [], { allowTrailingComma: true })).toEqual(expected)
        expect(wired(after)).toEqual({ after, change: "present" })
        expect(after.includes("\r\n") && /[^\r]\n/.test(after)).toBe(before.includes("\r\n") && /[^\r]\n/.test(before))
        expect(andBack(before)).toEqual(Option.some(before))
        const plain = unwired(after)
        const rest: unknown = Option.isNone(plain) ? {} : parse(plain.value, [], { allowTrailingComma: true })
        expect(rest).toEqual(JSON.parse(JSON.stringify({ ...expected, mcpServers: withoutOurs(value) })))
      }),
      { numRuns: 500 }
    )
  })
})
