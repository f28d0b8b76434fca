import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { chmodSync, existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { ctx, folder, server } from "../support/cli.ts"
import {
  full,
  onCrampedDisk,
  onFullDisk,
  onReadOnlyDisk,
  readOnly,
  type Refused,
  withoutPrivileges
} from "../support/refusingDisk.ts"

const long = `## Decision\n\n${"A longer page than there is room for.\n".repeat(4_000)}`
const write = (slug: string) => ["write", slug, "--type", "concept", "-"]

/** A project with a page that is on the server and one that is not; a teammate's page waits on the server. */
const shared = Effect.gen(function* () {
  const to = yield* server
  const clone = Effect.gen(function* () {
    const root = yield* folder
    yield* ctx(root, ["init", "--no-mcp"])
    yield* ctx(root, ["login", "--server", to.url, "--token", to.token, "--repo", "acme"])
    return root
  })
  const [root, mate] = [yield* clone, yield* clone]
  yield* ctx(root, write("pushed"), { stdin: "## A\n" })
  yield* ctx(root, ["push"])
  yield* ctx(mate, write("waiting"), { stdin: long })
  yield* ctx(mate, ["push"])
  yield* ctx(root, write("local"), { stdin: "## L\n" })
  /** The pages of the server, as the teammate's clone sees them. */
  const onServer = Effect.gen(function* () {
    yield* ctx(mate, ["pull"])
    return ["local", "pushed", "waiting"].filter((slug) => existsSync(page(mate, slug)))
  })
  return { root, onServer }
})

const page = (root: string, slug: string) => join(root, ".contexo", "wiki", "concepts", `${slug}.md`)

/** A named failure, exit 1, and not a byte of the project is different. */
const expectRefusal = (refused: Refused, message: string | RegExp) => {
  expect(refused).toMatchObject({ code: 1, stdout: "", differences: [] })
  expect(refused.stderr).toMatch(/^Error: [^\n]*\n$/)
  expect(refused.stderr).toMatch(message)
}

describe("A36: a disk that refuses", () => {
  it.scopedLive(`is full (${full}): writes, pushes and pulls say so, and change nothing here or on the server`, () =>
    Effect.gen(function* () {
      const { onServer, root } = yield* shared
      const run = onFullDisk(yield* folder, root)
      const noRoom = new RegExp(`concepts/\\w+\\.md: cannot write \\(${full}\\)\\. .* free space\\.$`, "m")
      expectRefusal(yield* run(write("new"), long), noRoom)
      expectRefusal(yield* run(write("pushed"), long), noRoom)
      expectRefusal(yield* run(["push"]), /bases\.db: cannot write \(.*\)/)
      expectRefusal(yield* run(["pull"]), /cannot (write|flush)/)
      expect(yield* onServer).toEqual(["pushed", "waiting"])
      // With room again, the same commands work at once.
      expect((yield* ctx(root, ["pull"])).code).toBe(0)
      expect((yield* ctx(root, ["push"])).code).toBe(0)
      expect(yield* onServer).toEqual(["local", "pushed", "waiting"])
    })
  )

  it.scopedLive("lets no file grow (EFBIG): the old page stays, and no half of the new one", () =>
    Effect.gen(function* () {
      const root = yield* folder
      yield* ctx(root, ["init", "--no-mcp"])
      yield* ctx(root, write("old"), { stdin: "## A\n" })
      expectRefusal(yield* onCrampedDisk(root)(write("old"), long), /old\.md: cannot write \(EFBIG\)/)
    })
  )

  it.scopedLive(`is read-only (${readOnly}): what writes says so, what reads works`, () =>
    Effect.gen(function* () {
      const { onServer, root } = yield* shared
      const run = onReadOnlyDisk(yield* folder, root)
      expectRefusal(yield* run(write("pushed"), long), new RegExp(`pushed\\.md: cannot write \\(${readOnly}\\)`))
      expectRefusal(yield* run(["push"]), /bases\.db: cannot write/)
      expectRefusal(yield* run(["pull"]), /cannot write/)
      expect(yield* run(["status"])).toMatchObject({ code: 0, differences: [] })
      expect(yield* run(["read", "pushed"])).toMatchObject({ code: 0, stdout: expect.stringMatching(/## A\n$/) })
      expect(yield* onServer).toEqual(["pushed", "waiting"])
    })
  )
})

describe("a user without privileges", () => {
  it.scopedLive("A20: a folder that cannot be read is no folder without pages", () =>
    Effect.gen(function* () {
      const { onServer, root } = yield* shared
      const run = withoutPrivileges(yield* folder, root)
      const pages = join(root, ".contexo", "wiki", "concepts")

      chmodSync(pages, 0o555)
      expectRefusal(yield* run(write("pushed"), long), /pushed\.md: cannot write \(EACCES\)/)
      expectRefusal(yield* run(write("new"), long), /new\.md: cannot write \(EACCES\)/)

      chmodSync(pages, 0o000)
      for (const args of [["push"], ["pull", "--full"]]) {
        expectRefusal(yield* run(args), /concepts: cannot (list|use) \(EACCES\)/)
      }
      const status = yield* run(["status"])
      expect(status).toMatchObject({ code: 0, differences: [] })
      expect(status.stdout).toMatch(/^Problem: .*concepts: cannot list \(EACCES\)/m)

      chmodSync(pages, 0o755)
      expect(yield* onServer).toEqual(["pushed", "waiting"])
      expect((yield* run(["pull"])).stdout).toMatch(/^Pulled 1 page\(s\)/)
    })
  )

  it.scopedLive("cannot use a token that it may not read, and is told which file that is", () =>
    Effect.gen(function* () {
      const root = yield* folder
      yield* ctx(root, ["init", "--no-mcp"])
      yield* ctx(root, write("local"), { stdin: "## L\n" })
      yield* ctx(root, ["remote", "set", "http://127.0.0.1:1"])
      writeFileSync(join(root, ".contexo", "credentials.json"), "{}", { mode: 0o000 })
      const run = withoutPrivileges(yield* folder, root)
      expectRefusal(yield* run(["push"]), /credentials\.json: cannot read \(EACCES\)/)
      expect(yield* run(["status"])).toMatchObject({ code: 0 })
    })
  )
})
