/**
 * Many simulations: `node bench/simulate.ts [seeds=1000] [steps=60] [first=1]`, on all cores. What a seed found is
 * replayed with `CTX_SIM_SEED=<seed> CTX_SIM_STEPS=<steps> npx vitest run test/simulator`.
 */
import { spawn } from "node:child_process"
import { availableParallelism, cpus } from "node:os"
import { performance } from "node:perf_hooks"
import { NodeContext, NodeRuntime, NodeStream } from "@effect/platform-node"
import { Array as Arr, Chunk, Console, Effect, Schema, Stream } from "effect"
import { simulate } from "../test/simulator/simulate.ts"

/** What one seed came to, as a line of a child's output. */
const Line = Schema.parseJson(
  Schema.Struct({
    seed: Schema.Int,
    clones: Schema.Int,
    versions: Schema.Int,
    troubled: Schema.Int,
    killed: Schema.Int,
    merges: Schema.Int,
    violation: Schema.NullOr(Schema.String)
  })
)
type Line = typeof Line.Type

const nothing = { clones: 0, versions: 0, troubled: 0, killed: 0, merges: 0 }

const child = (seeds: ReadonlyArray<number>, steps: number) =>
  Effect.forEach(seeds, (seed) =>
    simulate({ seed, steps }).pipe(
      Effect.map(({ clones, killed, merges, troubled, versions }): Line => ({
        seed,
        clones,
        versions,
        troubled,
        killed,
        merges,
        violation: null
      })),
      Effect.catchTag("Violation", ({ message }) => Effect.succeed<Line>({ ...nothing, seed, violation: message })),
      Effect.flatMap(Schema.encode(Line)),
      Effect.flatMap(Console.log)
    )
  )

/** A process for each slice: what a killed life leaves in memory goes with it. */
const inChild = (seeds: ReadonlyArray<number>, steps: number) =>
  NodeStream.fromReadable(
    () =>
      spawn(process.execPath, [import.meta.filename, "--slice", String(steps), ...seeds.map(String)], {
        stdio: ["ignore", "pipe", "inherit"]
      }).stdout,
    () => new Broken()
  ).pipe(Stream.decodeText(), Stream.splitLines, Stream.mapEffect(Schema.decode(Line)))

class Broken extends Schema.TaggedError<Broken>()("Broken", {}) {}

const parent = Effect.fnUntraced(function* (seeds: number, steps: number, first: number) {
  const began = performance.now()
  const slices = Arr.chunksOf(
    Arr.makeBy(seeds, (index) => first + index),
    50
  )
  const lines = yield* Stream.fromIterable(slices).pipe(
    Stream.flatMap((slice) => inChild(slice, steps), { concurrency: availableParallelism() }),
    Stream.tap(({ violation }) => (violation === null ? Effect.void : Console.log(`${violation}\n`))),
    Stream.runCollect,
    Effect.map(Chunk.toReadonlyArray)
  )
  const seconds = (performance.now() - began) / 1_000
  const sum = (of: (line: Line) => number) => lines.reduce((total, line) => total + of(line), 0)
  const violations = lines.filter(({ violation }) => violation !== null)
  yield* Console.log(
    [
      `| ${process.version}, ${cpus().length} cores (${cpus()[0]?.model ?? "unknown"}) | |`,
      "|---|---|",
      `| seeds x steps | ${lines.length} x ${steps} |`,
      `| clients | ${sum(({ clones }) => clones)} |`,
      `| versions pushed | ${sum(({ versions }) => versions)} |`,
      `| steps in trouble | ${sum(({ troubled }) => troubled)} |`,
      `| processes killed | ${sum(({ killed }) => killed)} |`,
      `| merges asked for | ${sum(({ merges }) => merges)} |`,
      `| violations | ${violations.length} ${violations.map(({ seed }) => seed).join(" ")} |`,
      `| seconds | ${seconds.toFixed(1)} (${((1_000 * seconds) / (seeds * steps)).toFixed(1)} ms a step) |`
    ].join("\n")
  )
  if (violations.length > 0 || lines.length < seeds) process.exitCode = 1
})

const arguments_ = process.argv.slice(2)
if (arguments_[0] === "--slice") {
  const [steps = 60, ...seeds] = arguments_.slice(1).map(Number)
  child(seeds, steps).pipe(Effect.provide(NodeContext.layer), NodeRuntime.runMain)
} else {
  const [seeds = 1_000, steps = 60, first = 1] = arguments_.map(Number)
  NodeRuntime.runMain(parent(seeds, steps, first))
}
