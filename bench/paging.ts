/**
 * `node bench/paging.ts [messages]`: the paging database with a million messages (or so many) of mixed text: insert rate, file
 * size, search p50 and p95 by kind of query against a plain look at every row, `around`, and the deletion of a session.
 */
import { Effect, Layer } from "effect"
import { NodeContext } from "@effect/platform-node"
import { mkdtempSync, rmSync, statSync } from "node:fs"
import { cpus, loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import { around } from "../src/effects/paging/around.ts"
import { search } from "../src/effects/paging/search.ts"
import { deleteSession } from "../src/effects/paging/sessions.ts"
import { ofText } from "../src/model/paging/Content.ts"
import type { MessageRole } from "../src/model/paging/Role.ts"
import { openPaging } from "../src/services/paging/PagingDatabaseDriver.ts"
import { PagingDatabase } from "../src/services/paging/PagingDatabase.ts"
import { PagingPlace } from "../src/services/paging/PagingPlace.ts"
import { ensureSession, putMessage } from "../src/services/paging/PagingRows.ts"

const total = Number(process.argv[2] ?? 1_000_000)
const folder = mkdtempSync(join(tmpdir(), "ctx-paging-bench-"))
const database = join(folder, "context.db")

/** The same numbers in every run. */
let state = 42
const random = (below: number): number => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return Math.floor((state / 2 ** 32) * below)
}
const pick = (from: ReadonlyArray<string>): string => from[random(from.length)] ?? ""

const syllables =
  "ka lo mi ter ven du sor pha ri to ne gal ex in con pre ser ver clu st no de da ta ba se que ry".split(" ")
const word = (): string => Array.from({ length: 1 + random(4) }, () => pick(syllables)).join("")
const vocabulary = Array.from({ length: 20_000 }, word)
const kanji = Array.from("今天讨论了部署方案数据库连接失败请检查配置文件权限问题解决办法更新版本测试通过")
const identifier = (): string => {
  const parts = Array.from({ length: 2 + random(3) }, () => pick(vocabulary))
  return random(2) === 0 ? parts.join("_") : parts.map((part) => part[0]?.toUpperCase() + part.slice(1)).join("")
}
const prose = (words: number): string => Array.from({ length: words }, () => pick(vocabulary)).join(" ")
const code = (lines: number): string =>
  Array.from(
    { length: lines },
    () => `  const ${identifier()} = ${identifier()}(${pick(vocabulary)}, ${random(9_999)})`
  ).join("\n")
const chinese = (letters: number): string => Array.from({ length: letters }, () => pick(kanji)).join("")

const textOf = (index: number): readonly [MessageRole, string] => {
  const needle = index % 10_000 === 5_000 ? ` needle-${index}-Xyzzy` : ""
  const kind = index % 10
  if (kind === 0) return ["user", prose(8 + random(40)) + needle]
  if (kind === 1) return ["thinking", prose(60 + random(80))]
  if (kind < 4) return ["assistant", `${prose(40 + random(120))}${index % 40 === 2 ? chinese(30) : ""}`]
  if (kind < 7)
    return [
      "tool_call",
      JSON.stringify({ command: `grep -rn ${identifier()} src`, path: `src/${pick(vocabulary)}.ts` })
    ]
  return ["tool", code(4 + random(24))]
}

const step = 2_000
const now = Date.now()
const start = now - total * step

const connection = openPaging(database, { busyMs: 1_000 })
let bytes = 0
const inserting = performance.now()
for (let from = 0; from < total; from += 500) {
  connection.write((sql) => {
    for (let index = from; index < Math.min(total, from + 500); index++) {
      const [role, text] = textOf(index)
      const content = ofText(text)
      bytes += content.bytes
      const session = ensureSession(sql, `s${Math.floor(index / (total / 20))}`, start)
      putMessage(sql, { session, role, content, at: start + index * step, source: "bench", uid: String(index) })
    }
  })
}
const seconds = (performance.now() - inserting) / 1_000
connection.checkpoint()
console.log(
  `${total} messages, ${(bytes / 1e6).toFixed(0)} MB; ${cpus().length} x ${cpus()[0]?.model.trim()}, load ${loadavg()[0]?.toFixed(1)}, Node ${process.version}`
)
console.log(`insert: ${Math.round(total / seconds)} rows/s; file ${(statSync(database).size / 1e6).toFixed(0)} MB`)

const layer = PagingDatabase.layer.pipe(
  Layer.provide(Layer.succeed(PagingPlace, { root: folder, database, variables: {} })),
  Layer.provide(NodeContext.layer)
)
const needles = Array.from(
  { length: 20 },
  (_, index) => `needle-${(index % Math.max(1, Math.floor(total / 10_000))) * 10_000 + 5_000}-Xyzzy`
)
const parts = Array.from({ length: 20 }, () => identifier().slice(1, 14))
const kinds: ReadonlyArray<readonly [string, ReadonlyArray<string>, string]> = [
  ["needle", needles, "any"],
  ["identifier part", parts, "any"],
  ["windowed, past hour", Array.from({ length: 20 }, () => pick(vocabulary)), "1h"],
  ["no hit", Array.from({ length: 10 }, (_, index) => `qqzzxx${index}`), "any"],
  ["two letters of CJK", ["部署", "方案", "数据"], "any"],
  ["two letters", ["zq", "qx"], "any"],
  ["frequent word", vocabulary.slice(0, 5), "any"]
]

const rows: Record<string, object> = {}
const quantile = (times: ReadonlyArray<number>, share: number): string =>
  (times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(1)

await Effect.runPromise(
  Effect.gen(function* () {
    const paging = yield* PagingDatabase
    for (const [name, queries, since] of kinds) {
      const times: Array<number> = []
      let missed = 0
      let scan = 0
      for (const [index, query] of queries.entries()) {
        const began = performance.now()
        const found = yield* search(query, { since, limit: 1_000 })
        times.push(performance.now() - began)
        if (index < 2) {
          const looked = performance.now()
          const [row] = yield* paging.read("scan", (sql) =>
            sql.all(
              "SELECT count(*) AS n FROM messages WHERE instr(lower(content), ?) > 0 AND ts >= ?",
              query.toLowerCase(),
              found.window.from
            )
          )
          scan += performance.now() - looked
          const counted = [...found.matches.values()].reduce((sum, { count }) => sum + count, 0)
          const expected = Number(row?.["n"] ?? 0)
          if (![...found.matches.values()].some(({ more }) => more) && counted !== expected) missed++
        }
      }
      rows[name] = {
        "p50 ms": quantile(times, 0.5),
        "p95 ms": quantile(times, 0.95),
        "scan ms": (scan / Math.min(2, queries.length)).toFixed(0),
        "wrong counts": missed
      }
    }
    const times: Array<number> = []
    for (let tries = 0; tries < 50; tries++) {
      const began = performance.now()
      yield* around(1 + random(total - 1))
      times.push(performance.now() - began)
    }
    rows["around"] = { "p50 ms": quantile(times, 0.5), "p95 ms": quantile(times, 0.95) }
    const began = performance.now()
    const { messages } = yield* deleteSession("s3")
    rows[`delete a session of ${messages}`] = { "p50 ms": (performance.now() - began).toFixed(0) }
  }).pipe(Effect.provide(layer))
)
console.table(rows)
connection.close()
rmSync(folder, { recursive: true })
