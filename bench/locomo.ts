/**
 * `node bench/locomo.ts <path to dev.json>`: how well `search` finds the sessions that answer questions about long chats
 * (LoCoMo; a session is a page), and which idea brings how much: each row leaves one out, or puts one in that was not kept.
 * The data is not ours to ship: its path is an argument.
 */
import { NodeContext } from "@effect/platform-node"
import { Effect, Layer, Schema } from "effect"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { search } from "../src/effects/page/search.ts"
import { ranking, type Ranking } from "../src/model/search/Rank.ts"
import { localStore } from "../src/services/LocalStore.ts"
import * as PageSearchLive from "../src/services/search/PageSearchLive.ts"
import { projectAt } from "../test/support/disk/project.ts"

const Chats = Schema.parseJson(
  Schema.Array(
    Schema.Struct({
      sessions: Schema.Array(
        Schema.Struct({
          id: Schema.String,
          date: Schema.String,
          turns: Schema.Array(Schema.Struct({ speaker: Schema.String, text: Schema.String }))
        })
      ),
      questions: Schema.Array(
        Schema.Struct({ question: Schema.String, category: Schema.String, evidence: Schema.Array(Schema.String) })
      )
    })
  )
)
const chats = Schema.decodeSync(Chats)(readFileSync(process.argv[2] ?? "", "utf8"))
const top = mkdtempSync(join(tmpdir(), "ctx-locomo-"))

const months = "January February March April May June July August September October November December".split(" ")
/** `7:48 pm on 21 May, 2023` as a page has it. */
const stamp = (date: string): string => {
  const [, day = "1", month = "January", year = "1970"] = /on (\d+) (\w+), (\d+)/.exec(date) ?? []
  return `${year}-${String(months.indexOf(month) + 1).padStart(2, "0")}-${day.padStart(2, "0")}T12:00:00Z`
}

const projects = chats.map(({ sessions }, index) => {
  const root = join(top, String(index))
  mkdirSync(join(root, ".contexo", "raw", "sessions"), { recursive: true })
  for (const { date, id, turns } of sessions) {
    const body = turns.map(({ speaker, text }) => `${speaker}: ${text}\n`).join("\n")
    const page = `---\nauthor: chat\ncreated: ${stamp(date)}\nupdated: ${stamp(date)}\n---\n\n${body}`
    writeFileSync(join(root, ".contexo", "raw", "sessions", `${id}.md`), page)
  }
  return root
})

const unitOf = (evidence: string) => evidence.split(":")[0] ?? ""

/** Questions, then the sums of recall@5, recall@10 and reciprocal rank, by category. */
type Sums = Map<string, [number, number, number, number]>

const measure = (options: Ranking) =>
  Effect.gen(function* () {
    const sums: Sums = new Map()
    for (const [index, { questions }] of chats.entries()) {
      const stores = localStore.pipe(Layer.provideMerge(projectAt(projects[index] ?? "")))
      yield* Effect.gen(function* () {
        for (const { category, evidence, question } of questions) {
          const wanted = [...new Set(evidence.map(unitOf))]
          const { hits } = yield* search(question, { limit: 10 })
          const found = hits.map(({ slug }) => slug)
          const recall = (k: number) =>
            wanted.filter((one) => found.slice(0, k).includes(one)).length / Math.max(1, wanted.length)
          const first = found.findIndex((one) => wanted.includes(one))
          for (const name of [category, "all"]) {
            const [n, five, ten, rank] = sums.get(name) ?? [0, 0, 0, 0]
            sums.set(name, [n + 1, five + recall(5), ten + recall(10), rank + (first === -1 ? 0 : 1 / (first + 1))])
          }
        }
      }).pipe(Effect.provide(PageSearchLive.layerWith(options).pipe(Layer.provideMerge(stores))))
    }
    return sums
  })

const row = ([n, ...sums]: [number, number, number, number]) => {
  const [five, ten, rank] = sums.map((sum) => (sum / n).toFixed(4))
  return { questions: n, "recall@5": five, "recall@10": ten, MRR: rank }
}

const variants: Readonly<Record<string, Partial<Ranking>>> = {
  "as shipped": {},
  "without other forms of words": { otherForm: 0 },
  "without dates as a field": { fields: { ...ranking.fields, about: 0 } },
  "without common words": { common: 0 },
  "without the best passage": { passage: 0, passageNext: 0 },
  "without the next best passages": { passageNext: 0 },
  "without proximity": { proximity: 0 },
  "BM25 alone": { common: 0, passage: 0, passageNext: 0, proximity: 0 }
}

const program = Effect.gen(function* () {
  const table: Record<string, ReturnType<typeof row>> = {}
  for (const [name, change] of Object.entries(variants)) {
    const sums = yield* measure({ ...ranking, ...change })
    if (name === "as shipped") {
      console.table(Object.fromEntries([...sums].toSorted().map(([category, sum]) => [category, row(sum)])))
    }
    table[name] = row(sums.get("all") ?? [0, 0, 0, 0])
  }
  console.table(table)
})

await Effect.runPromise(program.pipe(Effect.provide(NodeContext.layer)))
rmSync(top, { recursive: true })
