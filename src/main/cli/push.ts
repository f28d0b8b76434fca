import { Command, Options } from "@effect/cli"
import { Effect, Option } from "effect"
import { push as pushPages, pushBatch, type PushBatch, PushOutcome } from "../../effects/sync/Push.ts"
import { pushPreview } from "../../effects/sync/pushPreview.ts"
import { ProjectConfig } from "../../services/project/ProjectConfig.ts"
import { pushJson, pushText } from "../render/push.ts"
import { previewText } from "../render/pushPreview.ts"
import { agreed, canAsk } from "./frame/ask.ts"
import { cliCommand } from "./frame/CliCommand.ts"
import { jsonOption, messageOption, typeOption } from "./frame/options.ts"
import { withProgress } from "./frame/progress.ts"
import { projectLayer } from "./frame/project.ts"
import { type Answer, type ExitCode, reply } from "./frame/Reply.ts"
import { Stdio } from "./frame/Stdio.ts"
import { stderrStyle, stdoutStyle } from "./frame/style.ts"
import { UsageError } from "./frame/UsageError.ts"

const tagOption = (name: string, what: string) =>
  Options.text(name).pipe(Options.withPseudoName("TAG"), Options.withDescription(what), Options.optional)

const config = {
  feature: tagOption("feature", "only pages with this tag"),
  tag: tagOption("tag", "the same as --feature"),
  type: typeOption("only pages of this type").pipe(Options.optional),
  message: messageOption,
  dryRun: Options.boolean("dry-run").pipe(Options.withDescription("show what would be pushed, and send nothing")),
  showDiff: Options.boolean("show-diff").pipe(
    Options.withDescription("show, before anything is sent, which lines of each page change")
  ),
  yes: Options.boolean("yes").pipe(Options.withAlias("y"), Options.withDescription("do not ask")),
  autoMerge: Options.boolean("auto-merge").pipe(
    Options.withDescription("merge and push in one step where nothing was changed on both sides")
  ),
  ours: Options.boolean("ours").pipe(Options.withDescription("pages that await a merge go out as they are here")),
  allowSecret: Options.text("allow-secret").pipe(
    Options.withPseudoName("RULE"),
    Options.withDescription("let pass what this rule finds, when it is no secret; may be given again"),
    Options.repeated
  ),
  distill: Options.boolean("distill").pipe(
    Options.withDescription("pause where a session's reasoning was not written down yet, as ctx_push does (exit 3)")
  ),
  distillDone: Options.boolean("distill-done").pipe(
    Options.withDescription("the steps of a pause are done: cite the source page, archive the session, push everything")
  ),
  sourceSlug: Options.text("source-slug").pipe(
    Options.withPseudoName("SLUG"),
    Options.withDescription("with --distill-done: the source page that was written"),
    Options.optional
  ),
  noDistill: Options.boolean("no-distill").pipe(Options.withDescription("do not pause, which is the default")),
  json: jsonOption
}

export const push = cliCommand(
  "push",
  "Shares the pages that changed here, as one commit. Where somebody else changed them too, nothing is sent and the merge is handed over (exit 3).",
  config,
  Command.make("push", config, ({ dryRun, feature, json, message, showDiff, tag, type, yes, ...given }) =>
    reply(
      json,
      Effect.gen(function* () {
        const named = Option.filter(feature, (text) => text !== "")
        const filter = {
          tag: Option.getOrUndefined(Option.orElse(named, () => tag)),
          type: Option.getOrUndefined(type)
        }
        const handshake = yield* handshakeOf(given)
        const prepared = yield* pushBatch(filter)
        if (dryRun) return yield* preview(prepared, showDiff)
        if (!json && !(yield* confirmed(prepared, { yes, showDiff }))) return { text: "Aborted." } satisfies Answer
        const finished = yield* withProgress("pushing")(
          pushPages(filter, {
            message: Option.getOrElse(message, () => `ctx push (${countOf(prepared, handshake)} pages)`),
            autoMerge: given.autoMerge,
            acceptMine: given.ours,
            allowSecrets: given.allowSecret,
            ...handshake
          })
        )
        return { text: pushText(finished), json: pushJson(finished), exit: exits[finished.outcome._tag] }
      })
    ).pipe(Effect.provide(projectLayer))
  )
)

interface Handshake {
  readonly noDistill?: boolean
  readonly distillDone?: boolean
  readonly sourceSlug?: string
}

/** What the flags ask of `Distill`: a push from the command line pauses only where it is asked to. */
const handshakeOf = (flags: {
  readonly distill: boolean
  readonly distillDone: boolean
  readonly noDistill: boolean
  readonly sourceSlug: Option.Option<string>
}): Effect.Effect<Handshake, UsageError> => {
  const wrong = (reason: string) => new UsageError({ command: "ctx push", reason })
  const { distill, distillDone, noDistill } = flags
  if ([distill, distillDone, noDistill].filter(Boolean).length > 1) {
    return wrong("give one of --distill, --distill-done and --no-distill")
  }
  const sourceSlug = Option.getOrElse(flags.sourceSlug, () => "").trim()
  if (distillDone && sourceSlug === "")
    return wrong("--distill-done needs --source-slug, the source page that was written")
  if (!distillDone && sourceSlug !== "") return wrong("--source-slug goes with --distill-done")
  return Effect.succeed(distillDone ? { distillDone, sourceSlug } : { noDistill: !distill })
}

/** How many pages travel, the source page of a finished pause included. */
const countOf = ({ batch }: PushBatch, { sourceSlug }: Handshake): number => {
  const isSource = (path: string) => path === `raw/sessions/${sourceSlug}.md`
  return batch.length + (sourceSlug === undefined || batch.some(({ path }) => isSource(path)) ? 0 : 1)
}

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

/** `--dry-run`: asks for the server's shas, and sends nothing. */
const preview = Effect.fnUntraced(function* (prepared: PushBatch, showDiff: boolean) {
  if (prepared.batch.length === 0) {
    const outcome = PushOutcome.NothingToPush({ reason: prepared.matched === 0 ? "no-match" : "all-on-server" })
    const finished = { ...prepared, outcome }
    return { text: pushText(finished), json: pushJson(finished) } satisfies Answer
  }
  const found = yield* withProgress("asking the server")(pushPreview(prepared))
  const rows = found.pages.map(({ change, path }) => ({ path, change }))
  const text = previewText(yield* repoName, found, { showDiff, style: yield* stdoutStyle })
  return {
    text: `${text}\n\n(dry-run; no changes sent)`,
    json: { outcome: "dry_run", pages: rows, pushed: [], conflicts: [] }
  } satisfies Answer
})

/** A person at a terminal sees what is about to happen, and is asked before pages that others have are changed. */
const confirmed = Effect.fnUntraced(function* (
  prepared: PushBatch,
  { showDiff, yes }: { readonly yes: boolean; readonly showDiff: boolean }
) {
  const stdio = yield* Stdio
  const asks = !yes && (yield* canAsk)
  if (prepared.batch.length === 0 || (!asks && !showDiff)) return true
  const found = yield* withProgress("asking the server")(pushPreview(prepared))
  yield* stdio.err(`${previewText(yield* repoName, found, { showDiff, style: yield* stderrStyle })}\n`)
  if (!asks || found.pages.every(({ change }) => change !== "edit")) return true
  return yield* agreed("Proceed?")
})
