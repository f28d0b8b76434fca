import { Args, Command, Options } from "@effect/cli"
import { FileSystem } from "@effect/platform"
import { Effect, Either, Option, Stream } from "effect"
import { check } from "../../../effects/paging/check.ts"
import { cleanup } from "../../../effects/paging/cleanup.ts"
import { initialise, stats } from "../../../effects/paging/stats.ts"
import { exportAll, importAll, InvalidRecord } from "../../../effects/paging/transfer.ts"
import { errnoOf } from "../../../services/files/Errno.ts"
import { FileFailure } from "../../../services/files/FileFailure.ts"
import { checkJson, checkText, cleanupText, statsText } from "../../render/paging/store.ts"
import { cliCommand } from "../frame/CliCommand.ts"
import { bytesOf } from "../frame/content.ts"
import { jsonOption, numberOption } from "../frame/options.ts"
import { withProgress } from "../frame/progress.ts"
import { type Answer, reply } from "../frame/Reply.ts"
import { Stdio } from "../frame/Stdio.ts"
import { pagingLayer } from "./frame.ts"

const none = { json: jsonOption }

export const init = cliCommand(
  "paging init",
  "Makes the project's paging database, where it is missing, and nothing else.",
  none,
  Command.make("init", none, ({ json }) =>
    reply(
      json,
      Effect.map(initialise(), (made) => ({ text: made.database, json: made }))
    ).pipe(Effect.provide(pagingLayer))
  )
)

export const statsCommand = cliCommand(
  "paging stats",
  "Shows how much is kept.",
  none,
  Command.make("stats", none, ({ json }) =>
    reply(
      json,
      Effect.map(stats(), (counted) => ({ text: statsText(counted), json: counted }))
    ).pipe(Effect.provide(pagingLayer))
  )
)

const cleanupConfig = {
  days: numberOption("days", "sessions that ended so many days ago go (default 90)", 0, 36_500, 90),
  staleDays: numberOption("stale-days", "sessions without activity for so many days go (default 180)", 0, 36_500, 180),
  force: Options.boolean("force").pipe(Options.withDescription("also within a day of the last cleanup")),
  json: jsonOption
}

export const cleanupCommand = cliCommand(
  "paging cleanup",
  "Deletes sessions that ended long ago or are stale, once a day.",
  cleanupConfig,
  Command.make("cleanup", cleanupConfig, ({ days, force, json, staleDays }) =>
    reply(
      json,
      Effect.map(withProgress("cleaning up")(cleanup({ days, staleDays, force })), (done) => ({
        text: cleanupText(done),
        json: done
      }))
    ).pipe(Effect.provide(pagingLayer))
  )
)

const checkConfig = {
  repair: Options.boolean("repair").pipe(Options.withDescription("build a broken search index again from the rows")),
  json: jsonOption
}

export const checkCommand = cliCommand(
  "paging check",
  "Hashes everything again, and checks the file and its search index.",
  checkConfig,
  Command.make("check", checkConfig, ({ json, repair }) =>
    reply(
      json,
      Effect.map(withProgress("checking")(check(repair)), (checked): Answer => {
        const sound =
          checked.damaged.length + checked.integrity.length === 0 && (checked.index.length === 0 || checked.repaired)
        return { text: checkText(checked), json: checkJson(checked), exit: sound ? 0 : 1 }
      })
    ).pipe(Effect.provide(pagingLayer))
  )
)

const exportConfig = {
  file: Args.text({ name: "FILE" }).pipe(Args.withDescription("default, and -: standard output"), Args.optional),
  json: jsonOption
}

export const exportCommand = cliCommand(
  "paging export",
  "Writes everything as lines of JSON, exactly.",
  exportConfig,
  Command.make("export", exportConfig, ({ file, json }) =>
    reply(
      json,
      Effect.gen(function* () {
        const { out } = yield* Stdio
        const named = Option.filter(file, (name) => name !== "-")
        if (Option.isNone(named)) {
          const { records } = yield* exportAll(out)
          return { text: "", exact: true, json: { records } } satisfies Answer
        }
        const fs = yield* FileSystem.FileSystem
        const refused = (error: unknown) => {
          const reason = errnoOf(error)
          const said = reason === "EEXIST" ? "it is there already: name another file" : reason
          return new FileFailure({ path: named.value, operation: "write", reason: said })
        }
        const { records } = yield* withProgress("exporting")(
          Effect.scoped(
            Effect.gen(function* () {
              // What stands there already is not ours to replace.
              const target = yield* Effect.mapError(fs.open(named.value, { flag: "wx", mode: 0o600 }), refused)
              const done = yield* exportAll((lines) =>
                Effect.mapError(target.writeAll(new TextEncoder().encode(lines)), refused)
              )
              yield* Effect.mapError(target.sync, refused)
              return done
            })
          )
        )
        return { text: `exported ${records} record(s) to ${named.value}`, json: { records, file: named.value } }
      })
    ).pipe(Effect.provide(pagingLayer))
  )
)

const importConfig = {
  file: Args.text({ name: "FILE" }).pipe(Args.withDescription("an export; - for standard input")),
  json: jsonOption
}

export const importCommand = cliCommand(
  "paging import",
  "Takes an export in; what is there already comes in once.",
  importConfig,
  Command.make("import", importConfig, ({ file, json }) =>
    reply(
      json,
      Effect.gen(function* () {
        const bytes = yield* bytesOf(file)
        const lines = yield* Stream.make(bytes).pipe(
          Stream.decodeText("utf-8"),
          Stream.splitLines,
          Stream.runCollect,
          Effect.either
        )
        if (Either.isLeft(lines)) return yield* new InvalidRecord({ line: 1, reason: "it is not UTF-8 text" })
        const done = yield* withProgress("importing")(importAll(lines.right))
        return {
          text: `imported ${done.messages} message(s) and ${done.pages} page(s) that were not there, of ${done.records} record(s)`,
          json: done
        }
      })
    ).pipe(Effect.provide(pagingLayer))
  )
)
