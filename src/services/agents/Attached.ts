import { type FileSystem, Path } from "@effect/platform"
import { Effect, Option, Schema } from "effect"
import type { CorruptFile, FileFailure } from "../files/FileFailure.ts"
import { type JsonObject, patchJsonFile, readJsonFile } from "../files/JsonFile.ts"
import { ensureFolder } from "../project/StoreFolder.ts"
import { Step } from "./Steps.ts"

type Disk = FileSystem.FileSystem | Path.Path

/** `.contexo/.sync/attached.json`: what we put into files that are not ours, oldest first, so that it can be undone. */
const AttachedFile = Schema.Struct({ steps: Schema.optionalWith(Schema.Array(Step), { default: () => [] }) })

const fileIn = (contexo: string) => Effect.map(Path.Path, (path) => path.join(contexo, ".sync", "attached.json"))

const read = (contexo: string) =>
  Effect.gen(function* () {
    const attached = yield* readJsonFile(yield* fileIn(contexo), AttachedFile)
    return {
      object: Option.map(attached, ({ object }) => object),
      steps: Option.match(attached, { onNone: () => [], onSome: ({ known }) => known.steps })
    }
  })

const write = (contexo: string, object: Option.Option<JsonObject>, steps: ReadonlyArray<Step>) =>
  Effect.gen(function* () {
    yield* ensureFolder(contexo, ".sync")
    const before = Option.orElseSome(object, () => ({ version: 1 }))
    yield* patchJsonFile(yield* fileIn(contexo), before, { steps })
  })

/** Every addition that is on record, oldest first. */
export const attachedSteps = (contexo: string): Effect.Effect<ReadonlyArray<Step>, CorruptFile | FileFailure, Disk> =>
  Effect.map(read(contexo), ({ steps }) => steps)

/** What was added to a file, oldest first; nothing where another client did it. */
export const stepsFor = (
  contexo: string,
  file: string
): Effect.Effect<ReadonlyArray<Step>, CorruptFile | FileFailure, Disk> =>
  Effect.map(attachedSteps(contexo), (steps) => steps.filter((step) => step.file === file))

/** Keeps what undoes an addition, in place of what was kept for that part before. Call under the project lock. */
export const rememberStep = (contexo: string, step: Step): Effect.Effect<void, CorruptFile | FileFailure, Disk> =>
  Effect.gen(function* () {
    const { object, steps } = yield* read(contexo)
    const others = steps.filter(({ file, part }) => file !== step.file || part !== step.part)
    yield* write(contexo, object, [...others, step])
  })

/** Puts what is left for a file in place of what was kept for it. Call under the project lock. */
export const forgetStep = (
  contexo: string,
  file: string,
  rest: ReadonlyArray<Step>
): Effect.Effect<void, CorruptFile | FileFailure, Disk> =>
  Effect.gen(function* () {
    const { object, steps } = yield* read(contexo)
    const own = steps.filter((step) => step.file === file)
    if (own.length === rest.length) return
    yield* write(contexo, object, [...steps.filter((step) => step.file !== file), ...rest])
  })
