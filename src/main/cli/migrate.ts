import { Args, Command, Options, Prompt } from "@effect/cli"
import { Path } from "@effect/platform"
import { Effect, Option } from "effect"
import type { Discovery } from "../../effects/migrate/discover.ts"
import { discoverIn, finishMigration, NothingFound, stageMigration } from "../../effects/migrate/migrate.ts"
import { isGitUrl } from "../../model/migrate/GitUrl.ts"
import { forAgentLine } from "../../model/text/Sanitise.ts"
import { shownSource } from "../../services/migrate/Source.ts"
import { Staging } from "../../services/migrate/Staging.ts"
import {
  discoveryJson,
  discoveryText,
  doneJson,
  doneText,
  groupsOf,
  nothingFoundText,
  stagedJson,
  stagedText
} from "../render/migrate.ts"
import { cliCommand } from "./frame/CliCommand.ts"
import { jsonOption } from "./frame/options.ts"
import { withProgress } from "./frame/progress.ts"
import { projectLayer } from "./frame/project.ts"
import { type Answer, reply } from "./frame/Reply.ts"
import { Stdio } from "./frame/Stdio.ts"
import { UsageError } from "./frame/UsageError.ts"

const config = {
  path: Args.text({ name: "PATH|GIT-URL" }).pipe(
    Args.withDescription(
      "another folder to look into, or a git repository to clone and look into; default: this project"
    ),
    Args.optional
  ),
  select: Options.text("select").pipe(
    Options.withPseudoName("NUMBERS"),
    Options.withDescription("stage these for an agent to import: 1,3-5 or all"),
    Options.optional
  ),
  list: Options.boolean("list").pipe(Options.withDescription("only show what there is")),
  done: Options.boolean("done").pipe(Options.withDescription("drop what is staged")),
  json: jsonOption
}

export const migrate = cliCommand(
  "migrate",
  "Finds documents, decisions and agents' files that could become pages, and stages those you pick for an agent to import.",
  config,
  Command.make("migrate", config, ({ done, json, list, path, select }) =>
    reply(
      json,
      Effect.gen(function* () {
        if ([done, list, Option.isSome(select)].filter(Boolean).length > 1) {
          return yield* new UsageError({ command: "ctx migrate", reason: "give one of --select, --list and --done" })
        }
        if (done)
          return yield* Effect.map(finishMigration(), (ended) => ({ text: doneText(ended), json: doneJson(ended) }))
        const staged = Option.filter(yield* (yield* Staging).staged, ({ kind }) => kind === "migrate")
        // A run that was cut short goes on where it was.
        if (Option.isSome(staged) && !list && Option.isNone(select)) {
          return { text: stagedText(staged.value), json: stagedJson(staged.value) }
        }
        // A person means the folder from where they stand; an agent stands at the project's root.
        const here = yield* Path.Path
        const folder = Option.map(path, (named) =>
          named.startsWith("~") || isGitUrl(named) ? named : here.resolve(named)
        )
        const found = yield* withProgress("looking for knowledge")(discoverIn(Option.getOrUndefined(folder)))
        if (list || found.items.length === 0) return listing(found)
        const picked = Option.isSome(select) ? select : yield* pick(found, json)
        if (Option.isNone(picked)) return { ...listing(found), notes: [howToPick], exit: 3 } satisfies Answer
        if (picked.value === "") return { text: "Nothing selected.", json: { outcome: "nothing" } } satisfies Answer
        const manifest = yield* stageMigration(found, picked.value)
        return { text: stagedText(manifest), json: stagedJson(manifest) } satisfies Answer
      }).pipe(Effect.scoped, Effect.ensuring(Effect.flatMap(Staging, tidy)))
    ).pipe(Effect.provide(projectLayer))
  )
)

/** A clone that nothing was picked from goes at once. */
const tidy = ({ sweepClones }: Staging["Type"]) => Effect.ignoreLogged(sweepClones)

const howToPick = "Pick with --select 1,3-5 or --select all, or run it in a terminal."

const listing = (found: Discovery): Answer => ({
  text:
    found.items.length === 0
      ? nothingFoundText(new NothingFound({ source: shownSource(found.source), skipped: found.skipped.length }))
      : discoveryText(found),
  json: discoveryJson(found)
})

/** Asks a person at a terminal; None where there is none. The numbers picked, as a selection. */
const pick = Effect.fnUntraced(function* (found: Discovery, json: boolean) {
  const { stdinIsTty, stdoutIsTty } = yield* Stdio
  if (json || !stdinIsTty || !stdoutIsTty) return Option.none<string>()
  const picked = yield* Prompt.multiSelect({
    message: `What to import from ${forAgentLine(shownSource(found.source))}?`,
    maxPerPage: 20,
    choices: groupsOf(found).flatMap(({ items, name }) =>
      items.map(({ n, path, summary, tokens, type }) => ({
        title: `${name.padEnd(10)} ${type.padEnd(8)} ${forAgentLine(path)}  ~${tokens}t`,
        description: forAgentLine(summary),
        value: n
      }))
    )
  }).pipe(Effect.catchTag("QuitException", () => Effect.succeed([])))
  return Option.some(picked.join(","))
})
