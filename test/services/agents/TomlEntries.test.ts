import { describe, expect, it } from "@effect/vitest"
import { Either, FastCheck as fc, Option } from "effect"
import { stringify } from "smol-toml"
import { undoOf } from "../../../src/services/agents/Change.ts"
import type { Edit } from "../../../src/services/agents/Edit.ts"
import { parseToml } from "../../../src/services/agents/Toml.ts"
import { tomlHooks, tomlServer } from "../../../src/services/agents/TomlEntries.ts"
import { takeOut } from "../../support/edits.ts"

const kimi = tomlHooks("kimi", ["Stop", "SessionEnd"])

const wired = (edit: Edit, text: string) =>
  Either.getOrThrowWith(edit.wire(Option.some(text)), (reason) => new Error(reason))
const plain = (edit: Edit, text: string) => Either.getOrThrowWith(edit.unwire(text), (reason) => new Error(reason))
const andBack = (edit: Edit, text: string) => {
  const { after } = wired(edit, text)
  return Either.getOrThrow(takeOut(edit, after, Option.some(undoOf(Option.some(text), after))))
}
const refusal = (edit: Edit, text: string) => Either.getOrThrow(Either.flip(edit.wire(Option.some(text))))

const codex = `# mine
model = "gpt" # best

[mcp_servers.other] # keep
command = 'x'
args = [
  "a", # ] not the end
  """[b]""",
]

[projects."/a.b/c"]
trust_level = "trusted"`

describe("our server in Codex's config.toml", () => {
  it("comes last, and everything else stays byte for byte", () => {
    const { after, change } = wired(tomlServer, codex)
    expect(change).toBe("added")
    expect(after).toBe(`${codex}\n\n[mcp_servers.contexo]\ncommand = "npx"\nargs = ["-y", "ctx-mcp"]\n`)
    expect(wired(tomlServer, after)).toEqual({ after, change: "present" })
    expect(andBack(tomlServer, codex)).toEqual(Option.some(codex))
    expect(plain(tomlServer, after)).toEqual(Option.some(`${codex}\n`))
    expect(wired(tomlServer, codex.replaceAll("\n", "\r\n")).after).not.toMatch(/[^\r]\n/)
  })

  it("makes the file where there is none, and takes it away again", () => {
    const { after, change } = Either.getOrThrow(tomlServer.wire(Option.none()))
    expect(change).toBe("created")
    expect(plain(tomlServer, after)).toEqual(Option.none())
  })

  it("takes the place of the Go client's entry, and keeps what somebody added to it", () => {
    const go = `[mcp_servers.contexo] # ours\ncommand = "ctx"\nargs = [\n "mcp" ]\nstartup_timeout_sec = 20\n[mcp_servers.contexo.env]\nA = "1"\n[x]\n`
    expect(tomlServer.find(go)).toEqual(Either.right("stale"))
    const { after, change } = wired(tomlServer, go)
    expect(change).toBe("replaced")
    expect(after).toBe(go.replace('"ctx"', '"npx"').replace('[\n "mcp" ]', '["-y", "ctx-mcp"]'))
    expect(plain(tomlServer, after)).toEqual(Option.some("[x]\n"))
    expect(wired(tomlServer, '[mcp_servers.contexo]\ncommand = "ctx"').after).toBe(
      '[mcp_servers.contexo]\ncommand = "npx"\nargs = ["-y", "ctx-mcp"]'
    )
    for (const inline of [
      'mcp_servers.contexo = { command = "ctx" }\n',
      'mcp_servers = { contexo = { command = "ctx" } }\n'
    ])
      expect(refusal(tomlServer, inline)).toContain("change it by hand")
    expect(plain(tomlServer, 'mcp_servers.contexo = { command = "ctx" }\n')).toEqual(Option.none())
  })

  it("is left as it is where it starts ctx-mcp in a way of its own", () => {
    for (const text of [
      '[mcp_servers.contexo]\ncommand = "/opt/bin/ctx-mcp"\n',
      '[mcp_servers]\ncontexo = { url = "http://127.0.0.1:1/mcp" }\n'
    ])
      expect(wired(tomlServer, text)).toEqual({ after: text, change: "present" })
  })

  it.each([
    ["a = \n", "it is not valid TOML, line 1"],
    ["mcp_servers = 1\n", "not a table"],
    ['mcp_servers = { x = { command = "y" } }\n', "change it by hand"]
  ])("is not put into %s", (text, reason) => expect(refusal(tomlServer, text)).toContain(reason))
})

describe("our hooks in Kimi's config.toml", () => {
  it("stand beside those of others, and go alone", () => {
    const before = '[[hooks]]\nevent = "Stop"\ncommand = "say done"\n\n[loop]\nn = 1\n'
    const { after } = wired(kimi, before)
    expect(after).toBe(
      `${before}\n[[hooks]]\nevent = "Stop"\ncommand = "ctx-mcp hook --agent kimi"\n\n[[hooks]]\nevent = "SessionEnd"\ncommand = "ctx-mcp hook --agent kimi"\n`
    )
    expect(kimi.find(after)).toEqual(Either.right("wired"))
    expect(kimi.find(after.replace("SessionEnd", "PreCompact"))).toEqual(Either.right("partial"))
    expect(plain(kimi, after)).toEqual(Option.some(before))
  })

  it("take the place of an empty list, and give it back", () => {
    const before = "a = 1\nhooks = []\nb = 2\n"
    expect(kimi.find(wired(kimi, before).after)).toEqual(Either.right("wired"))
    expect(andBack(kimi, before)).toEqual(Option.some(before))
    expect(refusal(kimi, 'hooks = [{ event = "Stop", command = "x" }]\n')).toContain("change it by hand")
  })
})

describe("any TOML text", () => {
  const scalar = fc.oneof(
    fc.string(),
    fc.integer(),
    fc.boolean(),
    fc.constantFrom("]", "#", '"""', "'''", "\n[x]\n", "a\\", "é\u2028", "[[hooks]]")
  )
  const key = fc.constantFrom("a", "b c", 'q"', "x.y", "", "é", "command")
  const table = fc.dictionary(key, fc.oneof(scalar, fc.array(scalar, { maxLength: 3 })), {
    maxKeys: 3,
    noNullPrototype: true
  })
  const document = fc.record(
    {
      top: scalar,
      list: fc.array(scalar, { maxLength: 3 }),
      mcp_servers: fc.dictionary(key, table, { maxKeys: 2, noNullPrototype: true }),
      hooks: fc.array(fc.record({ event: fc.constantFrom("Stop", "x"), command: fc.string() }), {
        minLength: 1,
        maxLength: 3
      }),
      last: table
    },
    { requiredKeys: [] }
  )
  const comment = fc.constantFrom("", "# [mcp_servers.contexo]\n", '  # it\'s """ open\n\n')
  const written = fc
    .tuple(document, comment, comment, fc.constantFrom("\n", "\r\n"), fc.constantFrom("", "\uFEFF"), fc.boolean())
    .map(([value, head, tail, eol, bom, ends]) => {
      const text = head + stringify(value) + tail
      return bom + (ends ? text : text.replace(/\n$/, "")).replaceAll("\n", eol)
    })
    .filter((text) => Either.isRight(parseToml(text)))

  it("says the rest as before with ours in it, and has its bytes back without", () => {
    fc.assert(
      fc.property(written, fc.constantFrom(tomlServer, kimi), (before, edit) => {
        const { after } = wired(edit, before)
        expect(after.startsWith(before)).toBe(true)
        expect(wired(edit, after)).toEqual({ after, change: "present" })
        expect(edit.find(after)).toEqual(Either.right("wired"))
        expect(andBack(edit, before)).toEqual(Option.some(before))
        const rest = Option.getOrElse(plain(edit, after), () => "")
        expect(edit.find(rest)).toEqual(Either.right("absent"))
        expect(rest.trim()).toBe(before.trim())
      }),
      { numRuns: 150 }
    )
  })
})
