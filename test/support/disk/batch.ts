/**
 * A child process of the tests. `batch.ts ROOT PATH SIZE` replaces one page in a batch without privileges, and prints how
 * it was refused. `batch.ts ROOT loop SIZE` writes twenty pages in batch after batch, until it is killed.
 */
import { NodeContext, NodeRuntime } from "@effect/platform-node"
import { Effect } from "effect"
import { dropPrivileges } from "./privileges.ts"
import { page, pageStore } from "./store.ts"

const [root = "", path = "", size = "0"] = process.argv.slice(2)
const say = (line: string) => Effect.sync(() => process.stdout.write(`${line}\n`))
const paths = Array.from({ length: 20 }, (_, n) => page(`wiki/concepts/p${n}.md`))

const loop = Effect.flatMap(pageStore(root), (store) =>
  Effect.iterate(0, {
    while: () => true,
    body: (round) =>
      store
        .batch(Effect.forEach(paths, (one) => store.write(one, (round % 2 === 0 ? "a" : "b").repeat(Number(size)))))
        .pipe(Effect.zipRight(say(`round ${round}`)), Effect.as(round + 1))
  })
)

const refused = Effect.flatMap(pageStore(root), (store) =>
  Effect.flip(store.batch(store.write(page(path), "x".repeat(Number(size)))))
).pipe(
  Effect.flatMap((failure) =>
    say(failure._tag === "FileFailure" ? `${failure.operation} ${failure.reason}` : failure._tag)
  )
)

if (path !== "loop") dropPrivileges()
NodeRuntime.runMain(
  (path === "loop" ? Effect.asVoid(loop) : Effect.asVoid(refused)).pipe(
    Effect.scoped,
    Effect.provide(NodeContext.layer)
  )
)
