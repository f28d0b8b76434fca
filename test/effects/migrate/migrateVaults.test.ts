import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { discover } from "../../../src/effects/migrate/discover.ts"
import { folderSource } from "../../../src/services/migrate/Source.ts"
import { freshPlace, type Place, platform } from "../../support/place.ts"

const look = (place: Place, path: string) => Effect.flatMap(folderSource(place.folder, path), discover)

const test = <E>(name: string, body: (place: Place) => Effect.Effect<unknown, E, Effect.Effect.Context<typeof all>>) =>
  it.scoped(name, () => Effect.provide(Effect.flatMap(freshPlace, body), platform))
const all = Effect.flatMap(freshPlace, (place) => look(place, "."))

test("a pointer of Git LFS is no document", (place) =>
  Effect.gen(function* () {
    yield* place.write("docs/big.md", "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n")
    const { items, skipped } = yield* look(place, ".")
    expect(items).toEqual([])
    expect(skipped).toEqual([{ path: "docs/big.md", reason: "a pointer of Git LFS: its content was not fetched" }])
  }))

describe("notes of other programs, in a folder of their own", () => {
  test("an Obsidian vault: frontmatter tells type and summary, and stays in the file with aliases and links", (place) =>
    Effect.gen(function* () {
      const note =
        "---\naliases: [Retry]\ntype: analysis\ndescription: Why we retry three times.\n---\n# Retry\n\nWe ask as [[Billing|the bills]] do:  ![[board.png]].\n"
      yield* place.write("vault/.obsidian/app.json", "{}")
      yield* place.write("vault/Retry rule.md", note)
      yield* place.write("vault/People/Ada.md", "Ada keeps [[Billing|the bills]].\n")
      yield* place.write("vault/files/board.png", new Uint8Array([0x89, 0x50, 0]))
      const { items, skipped } = yield* look(place, "vault")
      expect(items.map(({ group, path, summary, type }) => [group, type, path, summary])).toEqual([
        ["vault", "analysis", "Retry rule.md", "Why we retry three times."],
        ["vault", "entity", "People/Ada.md", "Ada keeps the bills."]
      ])
      expect(items[0]?.absPath).toBe(place.at("vault/Retry rule.md"))
      expect(yield* place.read("vault/Retry rule.md")).toBe(note)
      expect(skipped).toEqual([{ path: "files/board.png", reason: "an attachment, not text" }])
    }))

  test("a Logseq graph in git, whose settings git ignores", (place) =>
    Effect.gen(function* () {
      yield* place.write("graph/.gitignore", "logseq/\n")
      yield* place.write("graph/logseq/config.edn", "{}")
      yield* place.write("graph/logseq/bak/pages/a/1.md", "- Old.\n")
      yield* place.write("graph/pages/retry rule.md", "type:: entity\n\n- We retry three times.\n\t- id:: 64f1\n")
      yield* place.write("graph/journals/2024_05_01.md", "- Met [[Ada]] about the ledger.\n")
      yield* place.git("graph", "init", "-q")
      const { items, skipped } = yield* look(place, "graph")
      expect(items.map(({ path, summary, type }) => [type, path, summary])).toEqual([
        ["source", "journals/2024_05_01.md", "Met Ada about the ledger."],
        ["entity", "pages/retry rule.md", "We retry three times."]
      ])
      expect(skipped).toEqual([])
    }))

  test("an export of Notion: pages, tables once, and a folder that is still packed", (place) =>
    Effect.gen(function* () {
      const [wiki, tasks] = [`Wiki ${"1".repeat(32)}`, `Tasks ${"2".repeat(32)}`]
      yield* place.write(`export/${wiki}.md`, "# Wiki\n\nOwner: Ada\nStatus: Live\n\nHow we answer the phone.\n")
      yield* place.write(`export/${wiki}/${tasks}.csv`, "Name,Owner\nA,Ada\n")
      yield* place.write(`export/${wiki}/${tasks}_all.csv`, "Name,Owner,Done\nA,Ada,Yes\nB,Ben,No\n")
      yield* place.write(`export/${wiki}/plan.pdf`, "%PDF")
      const { items, skipped } = yield* look(place, "export")
      expect(items.map(({ path, summary, type }) => [type, path, summary])).toEqual([
        ["concept", `${wiki}.md`, "How we answer the phone."],
        ["concept", `${wiki}/${tasks}_all.csv`, "Table: Name, Owner, Done"]
      ])
      expect(skipped.map(({ reason }) => reason)).toEqual([
        "a view of a table that is listed",
        "an attachment, not text"
      ])
      yield* place.write("Export.zip", "PK")
      const failure = yield* Effect.flip(look(place, "Export.zip"))
      expect(failure.message).toContain("this is a file; of an export as .zip, name what it unpacks to")
    }))
})
