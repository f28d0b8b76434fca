/**
 * `node bench/search.ts [--pages 1000,10000]`: how long a search takes in projects of several sizes (100000 takes minutes to
 * set up): the first one of all, which builds the index, the first of a new process, and warm ones; beside them a plain scan
 * that reads every page and looks for the text.
 */
import { NodeContext } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { cpus, loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { search } from "../src/effects/page/search.ts"
import { localStore } from "../src/services/LocalStore.ts"
import * as PageSearchLive from "../src/services/search/PageSearchLive.ts"
import { projectAt } from "../test/support/disk/project.ts"

const { values } = parseArgs({
  options: { pages: { type: "string", default: "1000,10000" }, queries: { type: "string", default: "100" } }
})

/** A reproducible die. */
const dice = (seed: number) => {
  let state = seed
  return (sides: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 0x1_0000_0000) * sides)
  }
}

const syllables = "ka to ri mu sen dor pal vi lex on tra bu gim shi fo ner az il qua pet".split(" ")
/** Few words are frequent, and many rare, as in any language. */
const word = (roll: (sides: number) => number): string => {
  let rank = Math.floor(20_000 ** (roll(10_000) / 10_000)) + roll(3)
  let text = ""
  do {
    text += syllables[rank % syllables.length] ?? ""
    rank = Math.floor(rank / syllables.length)
  } while (rank > 0)
  return text
}
const words = (roll: (sides: number) => number, count: number) =>
  Array.from({ length: count }, () => word(roll)).join(" ")

const fill = (folder: string, pages: number) => {
  mkdirSync(folder, { recursive: true })
  const roll = dice(7)
  for (let n = 0; n < pages; n++) {
    const sections = Array.from({ length: 3 }, () => `## ${words(roll, 3)}\n\n${words(roll, 80)}\n`).join("\n")
    const head = `author: ada\ncreated: 2026-07-01T09:00:00Z\nupdated: 2026-07-01T09:00:00Z\ntags: [${word(roll)}]`
    writeFileSync(join(folder, `page-${n}.md`), `---\n${head}\n---\n\n${sections}\nneedle${n}At${word(roll)}\n`)
  }
}

const scan = (folder: string, query: string): number => {
  const wanted = query.toLowerCase().split(" ")
  return readdirSync(folder).filter((name) => {
    const text = readFileSync(join(folder, name), "utf8").toLowerCase()
    return wanted.some((one) => text.includes(one))
  }).length
}

const at = (times: ReadonlyArray<number>, share: number) =>
  Number(
    (times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(1)
  )

const timed = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    const from = performance.now()
    return Effect.map(effect, () => performance.now() - from)
  })

const measure = (pages: number) =>
  Effect.gen(function* () {
    const root = mkdtempSync(join(tmpdir(), "ctx-search-"))
    const folder = join(root, ".contexo", "wiki", "concepts")
    fill(folder, pages)
    const services = PageSearchLive.layer.pipe(Layer.provideMerge(localStore), Layer.provide(projectAt(root)))
    const fresh = <A, E>(use: Effect.Effect<A, E, Layer.Layer.Success<typeof services>>) =>
      Effect.provide(use, services)
    const roll = dice(11)
    const queries = Array.from({ length: Number(values.queries) }, (_, n) =>
      n % 4 === 0 ? `needle${roll(pages)}` : n % 4 === 1 ? `${word(roll)}x` : words(roll, 1 + roll(5))
    )
    const build = yield* timed(fresh(search("needle0")))
    const cold: Array<number> = []
    for (const query of queries.slice(0, 10)) cold.push(yield* timed(fresh(search(query))))
    const [warm, afterWrite] = yield* fresh(
      Effect.gen(function* () {
        yield* search("warm up")
        const times: Array<number> = []
        for (const query of queries) times.push(yield* timed(search(query)))
        const edits: Array<number> = []
        for (let n = 0; n < 10; n++) {
          writeFileSync(join(folder, "new.md"), `---\nauthor: ada\n---\nnew ${n} ${words(roll, 200)}\n`)
          edits.push(yield* timed(search(`new ${n}`)))
        }
        return [times, edits] as const
      })
    )
    const plain = queries.slice(0, 5).map((query) => {
      const from = performance.now()
      scan(folder, query)
      return performance.now() - from
    })
    const index = statSync(join(root, ".contexo", ".cache", "search.db")).size
    rmSync(root, { recursive: true })
    return {
      "build, s": Number((build / 1000).toFixed(1)),
      "index, MB": Number((index / 1e6).toFixed(1)),
      "cold p50, ms": at(cold, 0.5),
      "warm p50": at(warm, 0.5),
      "warm p95": at(warm, 0.95),
      "after an edit p50": at(afterWrite, 0.5),
      "plain scan p50": at(plain, 0.5)
    }
  })

const [processor] = cpus()
console.log(
  `search; ${cpus().length} x ${processor?.model ?? "unknown"}, load ${loadavg()[0]?.toFixed(1)}, Node ${process.version}`
)
const rows: Record<string, Effect.Effect.Success<ReturnType<typeof measure>>> = {}
for (const pages of values.pages.split(",")) {
  rows[`${pages} pages`] = await Effect.runPromise(measure(Number(pages)).pipe(Effect.provide(NodeContext.layer)))
}
console.table(rows)
