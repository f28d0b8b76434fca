/**
 * A child process of the tests: `record.ts ROOT WHO SIZE` says what is recorded, then records a page of that many bytes.
 * WHO is `root`, or `nobody` for somebody without privileges.
 */
import { NodeContext, NodeRuntime } from "@effect/platform-node"
import { Effect, Option } from "effect"
import { dropPrivileges } from "./privileges.ts"
import { page, sha, syncState } from "./store.ts"

const [root = "", who = "", size = "0"] = process.argv.slice(2)
if (who === "nobody") dropPrivileges()
const known = page("wiki/concepts/a.md")
const large = page("wiki/concepts/large.md")

const program = Effect.gen(function* () {
  const state = yield* syncState(root)
  const { recorded } = yield* state.snapshot
  const base = Option.map(yield* state.base(known), ({ text }) => `base ${text}; `)
  const before = who === "nobody" ? `${recorded.size} recorded; ${Option.getOrElse(base, () => "")}` : ""
  const after = yield* state
    .apply({ known: [{ path: large, base: { sha: sha("2"), text: "x".repeat(Number(size)) } }] })
    .pipe(
      Effect.as("recorded"),
      Effect.catchAll((failure) => Effect.succeed(`${failure._tag} ${failure.message}`))
    )
  process.stdout.write(`${before}${after}\n`)
})

NodeRuntime.runMain(program.pipe(Effect.scoped, Effect.provide(NodeContext.layer)))
