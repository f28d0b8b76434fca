/** A child process of the tests: `listPages.ts ROOT` prints the catalogue of a project as somebody without privileges. */
import { NodeContext, NodeRuntime } from "@effect/platform-node"
import { Effect } from "effect"
import { dropPrivileges } from "./privileges.ts"
import { pageStore } from "./store.ts"

const [root = ""] = process.argv.slice(2)
dropPrivileges()

NodeRuntime.runMain(
  Effect.flatMap(pageStore(root), (store) => store.catalog).pipe(
    Effect.map(({ entries, problems }) =>
      [...entries.keys(), "|", ...problems.map(({ path, reason }) => `${path}: ${reason}`)].join(" ")
    ),
    Effect.catchTag("FileFailure", ({ _tag, path, reason }) => Effect.succeed(`${_tag} ${path} ${reason}`)),
    Effect.map((line) => process.stdout.write(`${line}\n`)),
    Effect.scoped,
    Effect.provide(NodeContext.layer)
  )
)
