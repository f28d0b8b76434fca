import { Command, FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { describe, expect, layer } from "@effect/vitest"
import { Effect, FastCheck as fc, Option, Stream } from "effect"
import {
  blobId,
  commitId,
  gitEmail,
  gitMessage,
  gitName,
  type TreeEntry,
  treeId
} from "../../../src/model/page/GitObject.ts"
import { Sha } from "../../../src/model/page/Sha.ts"

const repository = Effect.gen(function* () {
  const folder = yield* Effect.flatMap(FileSystem.FileSystem, (fs) => fs.makeTempDirectoryScoped())
  const git = (args: ReadonlyArray<string>, input: string | Uint8Array = "", env: Record<string, string> = {}) =>
    Command.make("git", ...args).pipe(
      Command.workingDirectory(folder),
      Command.env({ LC_ALL: "C.UTF-8", ...env }),
      Command.stdin(Stream.make(typeof input === "string" ? new TextEncoder().encode(input) : input)),
      Command.string,
      Effect.map((out) => out.trim())
    )
  yield* git(["init", "-q"])
  return git
})

describe("GitObject", () => {
  layer(NodeContext.layer)((it) => {
    it.scoped("a blob has the id that `git hash-object` gives it: empty, CRLF, a BOM, binary", () =>
      Effect.gen(function* () {
        const git = yield* repository
        for (const text of ["", "a\r\nb", "\ufeff---\n", "日本語 🟡\n", "\u0000\u0001"]) {
          const bytes = new TextEncoder().encode(text)
          expect(blobId(bytes)).toBe(yield* git(["hash-object", "--stdin"], bytes))
        }
      })
    )

    it.scoped("a tree has the id and the order of `git mktree`, a folder sorted as if its name ended in a slash", () =>
      Effect.gen(function* () {
        const git = yield* repository
        const blob = yield* Effect.map(git(["hash-object", "-w", "--stdin"], "x"), (id) => Sha.make(id))
        const sub = yield* Effect.map(git(["mktree"], `100644 blob ${blob}\tf\n`), (id) => Sha.make(id))
        const entries: ReadonlyArray<TreeEntry> = [
          { name: "a", kind: "folder", id: sub },
          { name: "a.md", kind: "file", id: blob },
          { name: "a-b", kind: "file", id: blob },
          { name: "a0", kind: "file", id: blob },
          { name: "Z", kind: "file", id: blob },
          { name: "\u{1F7E1}", kind: "file", id: blob },
          { name: "\uFF21", kind: "file", id: blob }
        ]
        const lines = entries.map(({ id, kind, name }) =>
          kind === "folder" ? `040000 tree ${id}\t${name}` : `100644 blob ${id}\t${name}`
        )
        const expected = yield* git(["mktree"], `${lines.join("\n")}\n`)
        expect(treeId(entries)).toBe(expected)
        expect(treeId(entries.toReversed())).toBe(expected)
        expect(treeId([])).toBe(yield* git(["mktree"]))
      })
    )

    it.scoped(
      "a commit has the id of `git commit-tree`, with and without a parent, for awkward names and messages",
      () =>
        Effect.gen(function* () {
          const git = yield* repository
          const tree = yield* Effect.map(git(["mktree"]), (id) => Sha.make(id))
          let parent = Option.none<Sha>()
          const cases = [
            ["Ana", "ana@example.com", "first"],
            ['Zoë <x> "Q"\n', "zoe@example.com ", "naïve\r\nsecond line\u0000"],
            ["; 李雷,", "<li@example.com>", "use Map<K, V>"]
          ] as const
          for (const [index, [name, email, message]] of cases.entries()) {
            const fields = {
              tree,
              parent,
              author: { name: gitName(name), email: gitEmail(email) },
              seconds: 1_700_000_000 + index,
              message: gitMessage(message)
            }
            const when = `${fields.seconds} +0000`
            const expected = yield* git(
              ["commit-tree", tree, ...Option.match(parent, { onNone: () => [], onSome: (sha) => ["-p", sha] })],
              `${fields.message}\n`,
              {
                GIT_AUTHOR_NAME: fields.author.name,
                GIT_AUTHOR_EMAIL: fields.author.email,
                GIT_AUTHOR_DATE: when,
                GIT_COMMITTER_NAME: fields.author.name,
                GIT_COMMITTER_EMAIL: fields.author.email,
                GIT_COMMITTER_DATE: when
              }
            )
            const id = commitId(fields)
            expect(id).toBe(expected)
            parent = Option.some(id)
          }
        })
    )

    it("no name, address or message can break out of its line in a commit", () => {
      fc.assert(
        fc.property(fc.string({ unit: "binary" }), (text) => {
          expect(gitName(text)).not.toMatch(/[<>\p{Cc}\u2028\u2029]/u)
          expect(gitEmail(text)).not.toMatch(/[<>\s\p{Cc}]/u)
          expect(gitMessage(text)).not.toMatch(/[\p{Cc}\u2028\u2029]/u)
          expect(gitName(gitName(text))).toBe(gitName(text))
        })
      )
      expect(gitName(' "Ana\n<evil@example.com> Q. Jr." ')).toBe("Ana evil@example.com Q. Jr.")
      expect(gitName("\ud800x")).toBe("\ufffdx")
    })
  })
})
