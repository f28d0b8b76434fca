/** `node bench/history.ts [--revisions 1000]`: a page's past in one request each, over HTTP from a server in this process. */
import { NodeContext } from "@effect/platform-node"
import { Effect, Option } from "effect"
import { cpus, loadavg } from "node:os"
import { parseArgs } from "node:util"
import { pagePath } from "../src/model/page/PagePath.ts"
import { Sha } from "../src/model/page/Sha.ts"
import { Slug } from "../src/model/page/Slug.ts"
import { SyncClient } from "../src/services/sync/SyncClient.ts"
import { freshTeam } from "../test/support/team.ts"

const { values } = parseArgs({ options: { revisions: { type: "string", default: "1000" } } })
const revisions = Number(values.revisions)
const path = pagePath("concept", Slug.make("page"))
const section = (n: number, edit: number) => `## Section ${n}\n\n${`What was decided in edit ${edit}. `.repeat(8)}\n`
const text = (edit: number) =>
  `---\ntype: concept\n---\n\n${Array.from({ length: 20 }, (_, n) => section(n, n <= edit % 20 ? edit : 0)).join("\n")}`

const rows: Record<
  string,
  { ms: number; entries: number; "peak memory, MB more": number; "others waited, ms": number }
> = {}
const measured = <A, E, R>(name: string, work: Effect.Effect<A, E, R>, count: (answer: A) => number) =>
  Effect.gen(function* () {
    const [from, before] = [performance.now(), process.memoryUsage.rss()]
    let [last, waited, peak] = [from, 0, before]
    const watch = setInterval(() => {
      waited = Math.max(waited, performance.now() - last)
      peak = Math.max(peak, process.memoryUsage.rss())
      last = performance.now()
    }, 1)
    const answer = yield* Effect.ensuring(
      work,
      Effect.sync(() => clearInterval(watch))
    )
    rows[name] = {
      ms: Math.round(performance.now() - from),
      entries: count(answer),
      "peak memory, MB more": Math.round((peak - before) / 1024 / 1024),
      "others waited, ms": Math.round(waited)
    }
  })

const program = Effect.gen(function* () {
  const ada = yield* (yield* freshTeam).member("ada")
  const client = yield* ada.as(SyncClient)
  yield* Effect.iterate(
    { edit: 0, parent: "" },
    {
      while: ({ edit }) => edit < revisions,
      body: ({ edit, parent }) =>
        Effect.map(
          client.push({ push_id: `edit-${edit}-0000`, files: [{ path, content: text(edit), parent_sha: parent }] }),
          ({ new_head }) => ({ edit: edit + 1, parent: new_head })
        )
    }
  )
  const head = Option.map(yield* client.page(path), ({ sha }) => Sha.make(sha))
  yield* measured("history", client.history(path, { limit: 500 }), ({ commits }) => commits.length)
  yield* measured(
    "evolution, compact",
    client.evolution(path, { limit: 1_000, lines: false }),
    (one) => one.entries.length
  )
  yield* measured(
    "evolution, with lines and blame",
    client.evolution(path, { limit: 1_000, blame: true }),
    (one) => one.entries.length
  )
  yield* measured("diff with blame", client.diff(path, { to: Option.getOrUndefined(head), blame: true }), () => 1)
  const [processor] = cpus()
  console.log(
    `a page of ${Math.round(text(0).length / 1024)} KB, ${revisions} revisions; ${cpus().length} x ${processor?.model ?? "unknown"}, load ${loadavg()[0]?.toFixed(1)}, Node ${process.version}`
  )
  console.table(rows)
})

await Effect.runPromise(Effect.scoped(program).pipe(Effect.provide(NodeContext.layer)))
