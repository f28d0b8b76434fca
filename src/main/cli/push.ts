import { Command, Options } from "@effect/cli"
import { Effect, Option } from "effect"
import { push as pushPages, pushBatch, type PushBatch, PushOutcome } from "../../effects/Push.ts"
import { pushPreview } from "../../effects/pushPreview.ts"
import { ProjectConfig } from "../../services/ProjectConfig.ts"
import { pushJson, pushText } from "../render/push.ts"
import { previewText } from "../render/pushPreview.ts"
import { cliCommand } from "./frame/CliCommand.ts"
import { jsonOption, typeOption } from "./frame/options.ts"
import { withProgress } from "./frame/progress.ts"
import { projectLayer } from "./frame/project.ts"
import { type Answer, type ExitCode, reply } from "./frame/Reply.ts"
import { Stdio } from "./frame/Stdio.ts"

const tagOption = (name: string, what: string) =>
  Options.text(name).pipe(Options.withPseudoName("TAG"), Options.withDescription(what), Options.optional)

const config = {
  feature: tagOption("feature", "only pages with this tag"),
  tag: tagOption("tag", "the same as --feature"),
  type: typeOption("only pages of this type").pipe(Options.optional),
  message: Options.text("message").pipe(
    Options.withAlias("m"),
    Options.withPseudoName("TEXT"),
    Options.withDescription("the commit's message"),
    Options.optional
  ),
  dryRun: Options.boolean("dry-run").pipe(Options.withDescription("show what would be pushed, and send nothing")),
  yes: Options.boolean("yes").pipe(Options.withAlias("y"), Options.withDescription("do not ask")),
  autoMerge: Options.boolean("auto-merge").pipe(
    Options.withDescription("merge and push in one step where nothing was changed on both sides")
  ),
  ours: Options.boolean("ours").pipe(Options.withDescription("pages that await a merge go out as they are here")),
  json: jsonOption
}

export const push = cliCommand(
  "push",
  "Shares the pages that changed here, as one commit. Where somebody else changed them too, nothing is sent and the merge is handed over (exit 3).",
  config,
  Command.make("push", config, ({ autoMerge, dryRun, feature, json, message, ours, tag, type, yes }) =>
    reply(
      json,
      Effect.gen(function* () {
        const named = Option.filter(feature, (text) => text !== "")
        const filter = {
          tag: Option.getOrUndefined(Option.orElse(named, () => tag)),
          type: Option.getOrUndefined(type)
        }
        const prepared = yield* pushBatch(filter)
        if (dryRun) return yield* preview(prepared)
        if (!yes && !json && !(yield* confirmed(prepared))) return { text: "Aborted." } satisfies Answer
        const finished = yield* withProgress("pushing")(
          pushPages(filter, {
            message: Option.getOrElse(message, () => `ctx push (${prepared.batch.length} pages)`),
            autoMerge,
            acceptMine: ours
          })
        )
        return { text: pushText(finished), json: pushJson(finished), exit: exits[finished.outcome._tag] }
      })
    ).pipe(Effect.provide(projectLayer))
  )
)

const exits: Record<PushOutcome["_tag"], ExitCode> = {
  Pushed: 0,
  NothingToPush: 0,
  Refused: 1,
  Rejected: 3,
  MergeRequired: 3,
  PushPaused: 3
}

const repoName = Effect.gen(function* () {
  const { repo_id } = yield* (yield* ProjectConfig).read
  return repo_id ?? "(no repository)"
})

/** `--dry-run`: local files only. */
const preview = Effect.fnUntraced(function* (prepared: PushBatch) {
  if (prepared.batch.length === 0) {
    const outcome = PushOutcome.NothingToPush({ reason: prepared.matched === 0 ? "no-match" : "all-on-server" })
    const finished = { ...prepared, outcome }
    return { text: pushText(finished), json: pushJson(finished) } satisfies Answer
  }
  const pages = yield* pushPreview(prepared.batch)
  const rows = pages.map(({ change, path }) => ({ path, change }))
  return {
    text: `${previewText(yield* repoName, pages)}\n\n(dry-run; no changes sent)`,
    json: { outcome: "dry_run", pages: rows, pushed: [], conflicts: [] }
  } satisfies Answer
})

/** A person at a terminal sees what is about to happen, and is asked before pages that others have are changed. */
const confirmed = Effect.fnUntraced(function* (prepared: PushBatch) {
  const stdio = yield* Stdio
  if (!stdio.stdinIsTty || !stdio.stderrIsTty || prepared.batch.length === 0) return true
  const pages = yield* pushPreview(prepared.batch)
  yield* stdio.err(`${previewText(yield* repoName, pages)}\n`)
  if (pages.every(({ change }) => change === "new")) return true
  return /^y(es)?$/i.test((yield* stdio.ask("Proceed? [y/N]: ")).trim())
})
