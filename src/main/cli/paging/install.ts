import { Command, Options } from "@effect/cli"
import { Effect, Layer, Option } from "effect"
import { hostIds } from "../../../effects/agents/wiring.ts"
import {
  declineInstall,
  installPaging,
  installState,
  uninstallPaging,
  type Wired
} from "../../../effects/paging/install.ts"
import { optInQuestion } from "../../../model/paging/OptIn.ts"
import { forAgentLine } from "../../../model/text/Sanitise.ts"
import { canAsk } from "../frame/ask.ts"
import { cliCommand } from "../frame/CliCommand.ts"
import { jsonOption } from "../frame/options.ts"
import { withProgress } from "../frame/progress.ts"
import { type Answer, reply } from "../frame/Reply.ts"
import { Stdio } from "../frame/Stdio.ts"
import { UsageError } from "../frame/UsageError.ts"
import { projectLayer } from "./subscription.ts"

const config = {
  agent: Options.choice("agent", [...hostIds, "all"]).pipe(
    Options.withDescription("this agent; all: every one that is used here"),
    Options.withDefault("all")
  ),
  yes: Options.boolean("yes").pipe(
    Options.withAlias("y"),
    Options.withDescription("install, in settings of the home folder too; do not ask")
  ),
  no: Options.boolean("no").pipe(Options.withDescription("do not install, and do not ask again")),
  json: jsonOption
}

const here = Layer.suspend(() => projectLayer(Option.none()))

export const install = cliCommand(
  "paging install",
  "Records this project's conversations from now on: the skill, AGENTS.md, the agents' hooks, a trial, the subscription.",
  config,
  Command.make("install", config, ({ agent, json, no, yes }) =>
    reply(
      json,
      Effect.gen(function* () {
        if (yes && no)
          return yield* new UsageError({ command: "ctx paging install", reason: "give one of --yes and --no" })
        const state = yield* installState()
        if (no) return declined(yield* declineInstall())
        if (!yes && state === "subscribed") return said("already", "Already installed: this project is subscribed.")
        if (!yes && state === "declined") {
          return said(
            "declined",
            "Declined before (agents/tmp/context-paging.json). 'ctx paging install --yes' installs it."
          )
        }
        if (!yes) {
          if (json || !(yield* canAsk)) {
            return { ...said("asks", `${optInQuestion} Answer with --yes or --no.`), exit: 3 } satisfies Answer
          }
          const answer = (yield* (yield* Stdio).ask(`${optInQuestion} [yes/no/later]: `)).trim()
          if (/^no?$/i.test(answer)) return declined(yield* declineInstall())
          if (!/^y(?:es)?$/i.test(answer)) return said("deferred", "Not now: the next session asks again.")
        }
        const done = yield* withProgress("installing")(
          installPaging({ agents: agent === "all" ? "all" : [agent], home: yes })
        )
        const failed = done.wired.filter(({ outcome }) => outcome !== "wired")
        return {
          text: [
            `Context paging is installed for ${forAgentLine(done.root)}: conversations are recorded in ${forAgentLine(done.database)}.`,
            ...done.wired.filter(({ outcome }) => outcome === "wired").map(wiredLine)
          ].join("\n"),
          json: { outcome: "installed", ...done },
          notes: failed.map(wiredLine),
          exit: failed.some(({ outcome }) => outcome === "failed") ? 1 : 0
        } satisfies Answer
      })
    ).pipe(Effect.provide(here))
  )
)

const said = (outcome: string, text: string) => ({ text, json: { outcome } }) satisfies Answer

const declined = ({ root }: { readonly root: string }): Answer =>
  said("declined", `Not installed for ${forAgentLine(root)}, and nobody asks again (agents/tmp/context-paging.json).`)

const wiredLine = ({ afterwards, agent, file, outcome, reason }: Wired): string => {
  switch (outcome) {
    case "wired":
      return `  ${agent}: hooks in ${forAgentLine(file)}${afterwards === undefined ? "" : `; ${afterwards}`}`
    case "asks":
      return `${agent}: ${forAgentLine(file)} holds the settings of all projects and was left as it is; --yes edits it.`
    case "failed":
      return `${agent}: ${reason ?? "failed"}`
  }
}

const uninstallConfig = {
  yes: Options.boolean("yes").pipe(
    Options.withAlias("y"),
    Options.withDescription("also out of settings in the home folder, which all projects share")
  ),
  json: jsonOption
}

export const uninstall = cliCommand(
  "paging uninstall",
  "Takes back what install did. The database is kept.",
  uninstallConfig,
  Command.make("uninstall", uninstallConfig, ({ json, yes }) =>
    reply(
      json,
      Effect.map(uninstallPaging(yes), (done) => ({
        text: [
          done.was ? "Nothing is recorded any more; the database is kept." : "This project was not subscribed.",
          ...done.unwired.map((file) => `  hooks taken out of ${forAgentLine(file)}`)
        ].join("\n"),
        json: done
      }))
    ).pipe(Effect.provide(here))
  )
)
