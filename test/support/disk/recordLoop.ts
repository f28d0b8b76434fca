/** A child process of the tests: `recordLoop.ts ROOT SEED` records new shas for thirty pages together, until it is killed. */
import { NodeContext, NodeRuntime } from "@effect/platform-node"
import { Effect } from "effect"
import { Sha } from "../../../src/model/page/Sha.ts"
import { page, syncState } from "./store.ts"

const [root = "", seed = "0"] = process.argv.slice(2)
const paths = Array.from({ length: 30 }, (_, n) => page(`wiki/concepts/p${n}.md`))

const program = Effect.flatMap(syncState(root), (state) =>
  Effect.iterate(0, {
    while: () => true,
    body: (round) => {
      const sha = Sha.make(`${seed}${round}`.padStart(40, "0"))
      return state.apply({ known: paths.map((path) => ({ path, base: { sha, text: `${path} ${sha}` } })) }).pipe(
        Effect.map(() => process.stdout.write(`round ${round}\n`)),
        Effect.as(round + 1)
      )
    }
  })
)

NodeRuntime.runMain(program.pipe(Effect.asVoid, Effect.scoped, Effect.provide(NodeContext.layer)))
