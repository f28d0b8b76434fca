/**
 * `node bench/locomo-turns.ts <path to dev.json>`: how well `ctx paging search --rank` finds the turns that answer questions
 * about long chats (LoCoMo; a turn is a message), and what each idea brings. The data is not ours to ship: its path is an
 * argument.
 */
import { Schema } from "effect"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ofText } from "../src/model/paging/Content.ts"
import { openPaging, type PagingConnection } from "../src/services/paging/PagingDatabaseDriver.ts"
import { ensureSession, putMessage } from "../src/services/paging/PagingRows.ts"
import { ranked, type Weights, weights } from "../src/services/paging/Ranking.ts"

const Chats = Schema.parseJson(
  Schema.Array(
    Schema.Struct({
      sessions: Schema.Array(
        Schema.Struct({
          id: Schema.String,
          turns: Schema.Array(Schema.Struct({ id: Schema.String, speaker: Schema.String, text: Schema.String }))
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

/** One database a chat; which turn each message is. */
const stores = chats.map(({ sessions }, index) => {
  const connection = openPaging(join(top, String(index), "context.db"), { busyMs: 1_000 })
  const turns = new Map<number, string>()
  let at = 0
  connection.write((sql) => {
    for (const session of sessions) {
      const id = ensureSession(sql, session.id, at)
      for (const [position, { id: turn, speaker, text }] of session.turns.entries()) {
        const stored = putMessage(sql, {
          session: id,
          role: position % 2 === 0 ? "user" : "assistant",
          content: ofText(`${speaker}: ${text}`),
          at: (at += 1_000),
          source: "bench",
          uid: turn
        })
        turns.set(stored.id, turn)
      }
    }
  })
  return { connection, turns }
})

type Sums = Map<string, [n: number, five: number, ten: number, rank: number]>

const measure = (options: Weights): Sums => {
  const sums: Sums = new Map()
  const ask = (connection: PagingConnection, query: string) =>
    connection.read((sql) => ranked(sql, { query, matchCase: false, from: 0, roles: [] }, options))
  for (const [index, { questions }] of chats.entries()) {
    const store = stores[index]
    if (store === undefined) continue
    for (const { category, evidence, question } of questions) {
      const wanted = [...new Set(evidence)]
      const found = ask(store.connection, question).map(({ id }) => store.turns.get(id) ?? "")
      const recall = (k: number) =>
        wanted.filter((one) => found.slice(0, k).includes(one)).length / Math.max(1, wanted.length)
      const first = found.findIndex((one) => wanted.includes(one))
      for (const name of [category, "all"]) {
        const [n, five, ten, rank] = sums.get(name) ?? [0, 0, 0, 0]
        sums.set(name, [n + 1, five + recall(5), ten + recall(10), rank + (first === -1 ? 0 : 1 / (first + 1))])
      }
    }
  }
  return sums
}

const row = ([n, five, ten, rank]: [number, number, number, number]) => ({
  questions: n,
  "recall@5": (five / n).toFixed(4),
  "recall@10": (ten / n).toFixed(4),
  MRR: (rank / n).toFixed(4)
})

const table: Record<string, ReturnType<typeof row>> = {}
for (const [name, sums] of measure(weights)) table[name] = row(sums)
const without: Readonly<Record<string, Partial<Weights>>> = {
  "without neighbours": { next: 0, second: 0 },
  "nearest neighbours only": { second: 0 },
  "with stop words": { stopWords: true },
  "plain BM25": { next: 0, second: 0, stopWords: true }
}
for (const [name, change] of Object.entries(without)) {
  const all = measure({ ...weights, ...change }).get("all")
  if (all !== undefined) table[name] = row(all)
}
console.log(`turns of ${chats.length} chats; target recall@5 0.65`)
console.table(table)
for (const { connection } of stores) connection.close()
rmSync(top, { recursive: true })
