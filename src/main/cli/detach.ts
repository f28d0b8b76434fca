import { Command, Options } from "@effect/cli"
import { Path } from "@effect/platform"
import { Effect } from "effect"
import { detach as detachAgents, type DetachPlan, planDetach, purgeKnowledge } from "../../effects/agents/detach.ts"
import { agreed, canAsk } from "./frame/ask.ts"
import { cliCommand } from "./frame/CliCommand.ts"
import { projectLayer } from "./frame/project.ts"
import { type Answer, reply } from "./frame/Reply.ts"
import { Stdio } from "./frame/Stdio.ts"

const config = {
  keepKnowledge: Options.boolean("keep-knowledge").pipe(
    Options.withDescription("leave .contexo/ and its line in .gitignore as they are")
  ),
  yes: Options.boolean("yes").pipe(Options.withAlias("y"), Options.withDescription("do not ask"))
}

export const detach = cliCommand(
  "detach",
  "Undoes what ctx did to this folder: agents' settings, hooks, .gitignore and .contexo/ with its pages.",
  config,
  Command.make("detach", config, ({ keepKnowledge, yes }) =>
    reply(
      false,
      inProject({ keepKnowledge, yes }).pipe(
        Effect.provide(projectLayer),
        Effect.flatMap(finish),
        Effect.catchTag("NotInProject", ({ from }) =>
          Effect.succeed<Answer>({ text: `Nothing to detach — ${from} belongs to no project.` })
        )
      )
    )
  )
)

const inProject = ({ keepKnowledge, yes }: { readonly keepKnowledge: boolean; readonly yes: boolean }) =>
  Effect.gen(function* () {
    const plan = yield* planDetach({ keepKnowledge })
    if (plan.parts.length === 0 && !plan.ignored && !plan.purge) {
      return { text: "Nothing to detach — no agent is wired up here." } satisfies Answer
    }
    const said = planLines(plan)
    if (!yes && !(yield* canAsk)) {
      return { text: [...said, "Answer with --yes."].join("\n"), exit: 3 } satisfies Answer
    }
    if (!yes) {
      yield* (yield* Stdio).err(`${said.join("\n")}\n`)
      if (!(yield* agreed("Proceed?"))) return { text: "Aborted." } satisfies Answer
    }
    return { plan, failed: yield* detachAgents(plan) }
  })

/** The last step, with nothing of `.contexo/` open any more. */
const finish = (detached: Answer | { readonly plan: DetachPlan; readonly failed: ReadonlyArray<string> }) =>
  Effect.gen(function* () {
    if (!("plan" in detached)) return detached
    const { failed, plan } = detached
    if (failed.length > 0) {
      const kept = plan.purge ? ["  .contexo/ was kept, so that 'ctx detach' can be run again."] : []
      const notes = [...failed.map((reason) => `  warning: ${reason}`), ...kept]
      return { text: "", notes, exit: 1 } satisfies Answer
    }
    if (plan.purge) yield* purgeKnowledge((yield* Path.Path).dirname(plan.contexo), plan.contexo)
    return { text: "Detach complete." } satisfies Answer
  })

const planLines = ({ contexo, ignored, neverPushed, parts, purge }: DetachPlan): ReadonlyArray<string> => [
  "This will:",
  ...parts.map(
    ({ host, part, place, scope }) =>
      `  take ${part === "mcp" ? "the contexo entry" : "our hooks"} out of ${place.name} (${host.name}${scope === "home" ? ", for all projects" : ""})`
  ),
  ...(ignored ? ["  take .contexo/ out of .gitignore"] : []),
  ...(purge ? [`  delete ${contexo} with its pages, settings and token`] : []),
  ...(purge && neverPushed > 0
    ? [`Warning: ${neverPushed} page${neverPushed === 1 ? " was" : "s were"} never pushed, and will be gone.`]
    : [])
]
