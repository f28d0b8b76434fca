import { Command, Options } from "@effect/cli"
import { Path } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { Effect, Layer, Option } from "effect"
import {
  type Diagnosis,
  doctor as examine,
  doctorServerData,
  repair,
  type Repaired
} from "../../effects/doctor/doctor.ts"
import * as HttpClientDriver from "../../services/sync/HttpClientDriver.ts"
import { NotInProject, Project } from "../../services/project/Project.ts"
import { lookAround, projectAt } from "../../services/project/ProjectDiscovery.ts"
import { projectLayers } from "../ProjectLayers.ts"
import { doctorJson, doctorText } from "../render/doctor.ts"
import { cliCommand } from "./frame/CliCommand.ts"
import { jsonOption } from "./frame/options.ts"
import { withProgress } from "./frame/progress.ts"
import { whereabouts } from "./frame/project.ts"
import { type Answer, reply } from "./frame/Reply.ts"
import { UsageError } from "./frame/UsageError.ts"

const config = {
  fix: Options.boolean("fix").pipe(Options.withDescription("put right what needs no decision, and say what was done")),
  readData: Options.boolean("read-data").pipe(
    Options.withDescription("read and hash everything again: pages, bases, the server's pages")
  ),
  data: Options.text("data").pipe(
    Options.withPseudoName("DIR"),
    Options.withDescription("look at a server's data folder instead (where 'ctx serve --data' keeps its database)"),
    Options.optional
  ),
  json: jsonOption
}

export const doctor = cliCommand(
  "doctor",
  "Looks for what is wrong with this project, or with a server's data. Exit 0 where there is no problem, else 1.",
  config,
  Command.make("doctor", config, ({ data, fix, json, readData }) =>
    reply(
      json,
      withProgress("looking")(
        Effect.gen(function* () {
          if (Option.isSome(data)) return yield* serverData(data.value, fix, readData)
          return yield* project(fix, readData)
        })
      )
    )
  )
)

const project = (fix: boolean, readData: boolean) =>
  Effect.gen(function* () {
    const place = yield* thisProject
    // Built anew for each: after a repair, nothing that was remembered counts.
    const here = projectLayers.pipe(
      Layer.provideMerge(Layer.succeed(Project, place)),
      Layer.provideMerge(Layer.merge(HttpClientDriver.layer, NodeContext.layer))
    )
    const repaired = fix ? yield* Effect.provide(repair(), here) : undefined
    return answer(yield* Effect.provide(examine({ readData }), here), repaired)
  })

/** The nearest project, whoever it belongs to: that is for the doctor to judge. */
const thisProject = Effect.gen(function* () {
  const { from, project } = yield* lookAround(yield* whereabouts)
  return yield* Option.match(project, { onNone: () => new NotInProject({ from }), onSome: projectAt })
})

const serverData = (folder: string, fix: boolean, readData: boolean) =>
  Effect.gen(function* () {
    if (fix) return yield* new UsageError({ command: "ctx doctor", reason: "--fix does nothing for a server's data" })
    return answer(yield* doctorServerData((yield* Path.Path).resolve(folder), readData))
  })

const answer = (diagnosis: Diagnosis, repaired?: ReadonlyArray<Repaired>): Answer => ({
  text: doctorText(diagnosis, repaired ?? []),
  json: doctorJson(diagnosis, repaired),
  exit: diagnosis.ok ? 0 : 1
})
