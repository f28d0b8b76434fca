import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { ctx, folder } from "../support/cli.ts"

/** Runs `ctx` in an empty folder. */
const run = (...args: ReadonlyArray<string>) => Effect.flatMap(folder, (cwd) => ctx(cwd, args))

describe("bad usage: one message, once, on stderr, exit 2", () => {
  const cases: ReadonlyArray<readonly [ReadonlyArray<string>, string]> = [
    [["psuh"], `ctx: unknown command "psuh" (nearest: ctx push). See 'ctx --help'.`],
    [["remote", "gte"], `ctx: unknown command "remote gte" (nearest: ctx remote get). See 'ctx --help'.`],
    [["remote"], `ctx remote: say which: remote set, remote get, remote set-repo. See 'ctx remote --help'.`],
    [["--bogus"], `ctx: unknown option --bogus. See 'ctx --help'.`],
    [["push", "--mesage", "x"], `ctx push: unknown option --mesage (nearest: --message). See 'ctx push --help'.`],
    [["push", "-m"], `ctx push: -m needs a value (-m TEXT). See 'ctx push --help'.`],
    [
      ["push", "--type", "note"],
      `ctx push: --type: want one of concept, entity, analysis, source. See 'ctx push --help'.`
    ],
    [["log", "--limit", "many"], `ctx log: --limit: 'many' is not a whole number. See 'ctx log --help'.`],
    [["pull", "now"], `ctx pull: unexpected argument now. See 'ctx pull --help'.`],
    [["write"], `ctx write: SLUG is missing. See 'ctx write --help'.`],
    [["write", "a"], `ctx write: --type is missing. See 'ctx write --help'.`],
    [
      ["diff", "a", "--local", "--from", "abcdef0"],
      `ctx diff: --local compares with the server's newest version: leave --from and --to out. See 'ctx diff --help'.`
    ],
    [["mcp", "--json"], `ctx mcp: unknown option --json (nearest: --host). See 'ctx mcp --help'.`]
  ]
  for (const [args, message] of cases) {
    it.scopedLive(`ctx ${args.join(" ")}`, () =>
      Effect.gen(function* () {
        expect(yield* run(...args)).toEqual({ code: 2, stdout: "", stderr: `Error: ${message}\n` })
      })
    )
  }
})

describe("help and version", () => {
  it.scopedLive("ctx, ctx --help and ctx help list every command", () =>
    Effect.gen(function* () {
      const [bare, option, word] = yield* Effect.all([run(), run("--help"), run("help")], { concurrency: 3 })
      expect(bare.code).toBe(0)
      expect(bare.stderr).toBe("")
      expect(option).toEqual(bare)
      expect(word).toEqual(bare)
      for (const name of ["init", "login", "remote set-repo", "repo create", "push", "pull", "write", "serve", "mcp"]) {
        expect(bare.stdout).toMatch(new RegExp(`^  ${name} `, "m"))
      }
    })
  )

  it.scopedLive("ctx push --help shows its options, from anywhere in the line", () =>
    Effect.gen(function* () {
      const help = yield* run("push", "-y", "--help")
      expect(help).toMatchObject({ code: 0, stderr: "" })
      expect(help.stdout).toBe(readFileSync(join(import.meta.dirname, "golden", "push-help.txt"), "utf8"))
      expect(yield* run("help", "push")).toEqual(help)
    })
  )

  it.scopedLive("ctx --version is one line, and ctx version --short the number alone", () =>
    Effect.gen(function* () {
      const [option, command, short] = yield* Effect.all(
        [run("--version"), run("version"), run("version", "--short")],
        {
          concurrency: 3
        }
      )
      expect(option.stdout).toMatch(/^ctx \d+\.\d+\.\d+ \([^)]+\)\n$/)
      expect(command).toEqual(option)
      expect(option.stdout).toContain(`ctx ${short.stdout.trim()} (`)
    })
  )
})
