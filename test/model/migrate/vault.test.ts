import { describe, expect, it } from "@effect/vitest"
import { candidatesOf } from "../../../src/model/migrate/Candidates.ts"
import { readHead } from "../../../src/model/migrate/Head.ts"
import { columnsOf, noteText } from "../../../src/model/migrate/NoteText.ts"
import { vaultOf, vaultsIn } from "../../../src/model/migrate/Vault.ts"

const id = (digit: string) => digit.repeat(32)
const found = (...paths: ReadonlyArray<string>) => {
  const { candidates, skipped } = candidatesOf(paths)
  return {
    offered: candidates.map(({ group, path, type }) => `${group} ${type} ${path}`),
    skipped: skipped.map(({ path, reason }) => `${path}: ${reason}`)
  }
}
const head = (path: string, text: string) => {
  const { declared, stub, summary } = readHead(path, text, true)
  return { declared, stub, summary }
}

describe("a vault", () => {
  it("is known by what its program leaves, wherever it lies, the innermost first", () => {
    const vaults = vaultsIn([
      "src/main.ts",
      "notes/.obsidian/app.json",
      "notes/graph/logseq/config.edn",
      `Export/Part-1/A ${id("1")}.md`,
      `Export/Part-1/A ${id("1")}/B ${id("2")}.md`,
      `Export/Part-2/T ${id("3")}_all.csv`,
      `sums/${id("4")}.md`
    ])
    expect(new Map(vaults)).toEqual(
      new Map([
        ["notes", "obsidian"],
        ["notes/graph", "logseq"],
        ["Export/Part-1", "notion"],
        ["Export/Part-2", "notion"]
      ])
    )
    expect(vaultOf(vaults, "notes/graph/pages/a.md")).toEqual({ kind: "logseq", inner: "pages/a.md" })
    expect(vaultOf(vaults, "notes/b.md")).toEqual({ kind: "obsidian", inner: "b.md" })
    expect(vaultOf(vaults, "src/main.ts")).toBeUndefined()
    expect(vaultOf(vaultsIn([".obsidian/"]), "a/b.md")).toEqual({ kind: "obsidian", inner: "a/b.md" })
  })

  it("of Obsidian: every note, and why its attachments, drawings and canvases are none", () => {
    expect(
      found(
        ".obsidian/app.json",
        ".obsidian/plugins/x/README.md",
        ".trash/Old.md",
        "Idea.md",
        "2024-05-01.md",
        "People/Ada.md",
        "files/plan.PDF",
        "files/board.png",
        "Map.canvas",
        "Books.base",
        "Sketch.excalidraw.md",
        "main.css",
        "templates/Daily.md"
      )
    ).toEqual({
      offered: ["vault source 2024-05-01.md", "vault concept Idea.md", "vault entity People/Ada.md"],
      skipped: [
        "Books.base: an arrangement of notes, not text",
        "Map.canvas: an arrangement of notes, not text",
        "Sketch.excalidraw.md: a drawing, not text",
        "files/board.png: an attachment, not text",
        "files/plan.PDF: an attachment, not text"
      ]
    })
  })

  it("of Logseq: pages and journals, and none of its backups", () => {
    expect(
      found(
        "logseq/config.edn",
        "logseq/bak/pages/a/2024.md",
        "logseq/.recycle/pages_old.md",
        "pages/retry rule.md",
        "pages/project___acme.md",
        "pages/old.org",
        "journals/2024_05_01.md",
        "assets/x.png",
        "whiteboards/w.edn",
        "README.md"
      )
    ).toEqual({
      offered: [
        "docs entity README.md",
        "vault source journals/2024_05_01.md",
        "vault concept pages/old.org",
        "vault concept pages/project___acme.md",
        "vault concept pages/retry rule.md"
      ],
      skipped: ["assets/x.png: an attachment, not text", "whiteboards/w.edn: a drawing, not text"]
    })
  })

  it("of Notion: pages and tables by their ids, a table once, folders without their ids", () => {
    const page = `Wiki ${id("1")}`
    expect(
      found(
        `${page}.md`,
        `${page}/Meetings ${id("2")}/Kickoff ${id("3")}.md`,
        `${page}/Tasks ${id("4")}.csv`,
        `${page}/Tasks ${id("4")}_all.csv`,
        `${page}/View ${id("5")}.csv`,
        `${page}/image.png`,
        "docs/guide.md",
        "loose.md"
      )
    ).toEqual({
      offered: [
        "docs concept docs/guide.md",
        `vault concept ${page}.md`,
        `vault concept ${page}/Tasks ${id("4")}_all.csv`,
        `vault concept ${page}/View ${id("5")}.csv`,
        `vault source ${page}/Meetings ${id("2")}/Kickoff ${id("3")}.md`
      ],
      skipped: [
        `${page}/Tasks ${id("4")}.csv: a view of a table that is listed`,
        `${page}/image.png: an attachment, not text`
      ]
    })
  })
})

describe("a note's head", () => {
  it("of Logseq is its first block, and not its properties or marks", () => {
    const text =
      "title:: Retry rule\ntype:: [[analysis]]\ntags:: a, b\n\n- TODO We retry three times ((64f1c7de-0000-4000-8000-0123456789ab)).\n  id:: 64\n\t- More.\n"
    expect(head("pages/x.md", text)).toEqual({ declared: "analysis", stub: false, summary: "We retry three times." })
    expect(head("y.md", "type:: entity\n- Plain words here.\n").summary).toBe("Plain words here.")
  })

  it("keeps what only looks like a property", () => {
    const code = "```cpp\nstd:: string\n```\n\nUse std::vector here, and a::b.\n"
    expect(noteText("a.md", code)).toEqual({ text: code, declared: "" })
    expect(noteText("pages/a.md", code)).toEqual({ text: code, declared: "" })
  })

  it("of Notion is its text, and not the properties below its title", () => {
    const path = `Rule ${id("a")}.md`
    const text =
      "# Rule\n\nOwner: Ada\nType: Analysis\nLast edited: July 5, 2026 9:00 AM\n\nWe count the ledger twice.\n"
    expect(head(path, text)).toEqual({ declared: "Analysis", stub: false, summary: "We count the ledger twice." })
    expect(head(path, text.replaceAll("\n", "\r\n")).summary).toBe("We count the ledger twice.")
    // A sentence with a colon is prose.
    expect(head(path, "# Rule\n\nNote: always count twice\nbefore you pay.\n").summary).toMatch(/^Note: always count/)
    expect(head("plain.md", text).summary).toContain("Owner: Ada")
  })

  it("of a table is its columns", () => {
    expect(head("t.csv", '\ufeffName,"Due, at last",Owner\nA,B,C\n')).toEqual({
      declared: "",
      stub: false,
      summary: "Table: Name, Due, at last, Owner"
    })
    expect(columnsOf('"a ""b""",,c')).toEqual(['a "b"', "c"])
    expect(head("t.csv", "\n").stub).toBe(true)
  })
})
