/**
 * `node bench/core.ts [--pages 10000] [--changed 1000]`: the wiki's core at size: real files, a real server on SQLite, HTTP
 * between them, all in this process. Prints what was measured beside its target, the machine, and a yardstick: writing as
 * many small files, each with its fsync.
 */
import { NodeContext } from "@effect/platform-node"
import { Effect } from "effect"
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs"
import { cpus, loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { pull } from "../src/effects/sync/pull.ts"
import { push } from "../src/effects/sync/Push.ts"
import { localStatus } from "../src/effects/sync/status.ts"
import { writePage } from "../src/effects/page/writePage.ts"
import { freshTeam, type Member } from "../test/support/team.ts"

const { values } = parseArgs({
  options: { pages: { type: "string", default: "10000" }, changed: { type: "string", default: "1000" } }
})
const [pages, changed] = [Number(values.pages), Number(values.changed)]

const text = (n: number, decision: string) =>
  `---\ntype: concept\nslug: page-${n}\nauthor: ada\ncreated: 2026-07-01T09:00:00Z\nupdated: 2026-07-01T09:00:00Z\ntags: [a, b]\n---\n\n## Decision\n\n${decision}\n\n## Context\n\n${"Why this, and not that. ".repeat(20)}\n`

const fill = (member: Member, from: number, to: number, decision: string) => {
  for (let n = from; n < to; n++) {
    writeFileSync(join(member.root, ".contexo", "wiki", "concepts", `page-${n}.md`), text(n, decision))
  }
}

const rows: Record<string, { ms: number; "CPU ms": number; "target ms": number | string }> = {}

const measured = <A, E, R>(name: string, target: number | undefined, work: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const [from, before] = [performance.now(), process.cpuUsage()]
    const result = yield* work
    const { system, user } = process.cpuUsage(before)
    const ms = Math.round(performance.now() - from)
    rows[name] = { ms, "CPU ms": Math.round((system + user) / 1000), "target ms": target ?? "" }
    return result
  })

const batches = <E, R>(member: Member, work: Effect.Effect<unknown, E, R>) =>
  Effect.iterate(0, {
    while: (at) => at < pages,
    body: (at) => {
      fill(member, at, Math.min(at + 2_000, pages), "One.")
      return Effect.as(work, at + 2_000)
    }
  })

const yardstick = Effect.sync(() => {
  const folder = mkdtempSync(join(tmpdir(), "ctx-yard-"))
  for (let n = 0; n < 1_000; n++) {
    const file = openSync(join(folder, String(n)), "w")
    writeSync(file, text(n, "One."))
    fsyncSync(file)
    closeSync(file)
  }
  rmSync(folder, { recursive: true })
})

const program = Effect.gen(function* () {
  const team = yield* freshTeam
  const ada = yield* team.member("ada")
  const ben = yield* team.member("ben")
  yield* ada.as(writePage({ slug: "first", type: "concept", body: "One." }))
  yield* measured("yardstick: 1000 files, each with fsync", undefined, yardstick)
  yield* measured(`push of ${pages} new pages, in batches`, undefined, batches(ada, ada.as(push({}, {}))))
  yield* measured(`pull of ${pages} pages`, 5_000, ben.as(pull({})))
  fill(ada, 0, changed, "Two.")
  yield* measured(`push of ${changed} changed pages`, 1_000, ada.as(push({}, {})))
  yield* measured(`pull of ${changed} changed pages`, undefined, ben.as(pull({})))
  yield* measured("pull of nothing", undefined, ben.as(pull({})))
  yield* measured("status, local, warm", 250, ben.as(localStatus()))
  const write = (n: number) => ben.as(writePage({ slug: `new-${n}`, type: "concept", body: "Three." }))
  yield* measured("first ctx_write_page", 100, write(1))
  yield* measured("next ctx_write_page", 100, write(2))
  const [processor] = cpus()
  console.log(
    `core, ${pages} pages; ${cpus().length} x ${processor?.model ?? "unknown"}, load ${loadavg()[0]?.toFixed(1)}, Node ${process.version}`
  )
  console.table(rows)
})

await Effect.runPromise(Effect.scoped(program).pipe(Effect.provide(NodeContext.layer)))
