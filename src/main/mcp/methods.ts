import type { FileSystem, Path } from "@effect/platform"
import { Effect, Either, Schema } from "effect"
import { forAgentLine } from "../../model/text/Sanitise.ts"
import { Progress } from "../../services/runtime/Progress.ts"
import type { Client } from "./App.ts"
import { complete, CompleteParams } from "./completion.ts"
import { metAsleep } from "./Freshness.ts"
import { ListParams, noCursor } from "./paging.ts"
import { prompts } from "./Prompts.ts"
import { listResources } from "./resourceList.ts"
import { pagingTemplates, ReadParams, readResource, resourceTemplates } from "./Resources.ts"
import { invalidParams, methodNotFound, type RpcFailure } from "./Rpc.ts"
import type { Session } from "./Session.ts"
import { isPaged, tools } from "./Tools.ts"

/** A request that the SDK leaves to us: everything but `initialize`, `ping` and cancelling. */
export interface Request {
  readonly method: string
  readonly params: unknown
  /** Tells the client that the work goes on, where it asked to be told. */
  readonly progress: (step: Step) => Effect.Effect<void>
}

/** How far a request is. `progress` grows with each step. */
export interface Step {
  readonly progress: number
  readonly total?: number
  readonly message?: string
}

/** Answers one request. Source: reference.md sections 2 and 3. */
export const answer = (
  session: Session,
  request: Request,
  client: Client
): Effect.Effect<object, RpcFailure, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const state = yield* session.state
    if (state._tag === "Dormant") {
      metAsleep(client)
      return yield* dormant(request.method, state.reason)
    }
    return yield* Effect.provide(active(request, client), state.services)
  })

/** Outside a project: the same handshake, and nothing to list. Source: reference.md 3.7. */
const dormant = (method: string, reason: string) => {
  switch (method) {
    case "tools/list":
      return Effect.succeed({ tools: [] })
    case "resources/list":
      return Effect.succeed({ resources: [] })
    case "resources/templates/list":
      return Effect.succeed({ resourceTemplates: [] })
    case "prompts/list":
      return Effect.succeed({ prompts: [] })
    default:
      return methodNotFound(`method not available (${reason})`)
  }
}

const active = Effect.fnUntraced(function* (request: Request, client: Client) {
  switch (request.method) {
    case "tools/list":
      yield* noCursor(yield* parameters(ListParams, request))
      return { tools: (yield* tools).map(({ listing }) => listing) }
    case "tools/call":
      return yield* callTool(request)
    case "resources/list":
      return yield* listResources(yield* parameters(ListParams, request))
    case "resources/templates/list":
      yield* noCursor(yield* parameters(ListParams, request))
      return { resourceTemplates: (yield* isPaged) ? [...resourceTemplates, ...pagingTemplates] : resourceTemplates }
    case "resources/read":
      return yield* readResource((yield* parameters(ReadParams, request)).uri)
    case "resources/subscribe":
      yield* client.subscriptions.add((yield* parameters(ReadParams, request)).uri)
      return {}
    case "resources/unsubscribe":
      yield* client.subscriptions.remove((yield* parameters(ReadParams, request)).uri)
      return {}
    case "prompts/list":
      yield* noCursor(yield* parameters(ListParams, request))
      return { prompts: prompts.map(({ listing }) => listing) }
    case "prompts/get":
      return yield* getPrompt(request)
    case "completion/complete":
      return yield* complete(yield* parameters(CompleteParams, request))
    default:
      return yield* methodNotFound("method not found")
  }
})

const CallParams = Schema.Struct({ name: Schema.String, arguments: Schema.optional(Schema.Unknown) })

const callTool = Effect.fnUntraced(function* (request: Request) {
  const { arguments: input, name } = yield* parameters(CallParams, request)
  const tool = (yield* tools).find((one) => one.name === name)
  if (tool === undefined) {
    return { content: [{ type: "text", text: `unknown tool: ${forAgentLine(name.slice(0, 200))}` }], isError: true }
  }
  return yield* whileTold(request.progress, name, tool.call(input))
})

const getPrompt = Effect.fnUntraced(function* (request: Request) {
  const { arguments: input, name } = yield* parameters(CallParams, request)
  const prompt = prompts.find((one) => one.name === name)
  if (prompt === undefined) return yield* invalidParams(`unknown prompt: ${forAgentLine(name.slice(0, 200))}`)
  return yield* prompt.get(input)
})

/** Tells what the work is at, and every second that it still is (rule 13). */
const whileTold = <A, E, R>(tell: Request["progress"], name: string, work: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    let steps = 0
    let message = `${name} is at work`
    const say = Effect.suspend(() => tell({ progress: ++steps, message }))
    const report = (step: string) =>
      Effect.suspend(() => {
        message = step
        return say
      })
    const ticking = Effect.forever(Effect.zipRight(Effect.sleep("1 second"), say))
    return Effect.scoped(Effect.zipRight(Effect.forkScoped(ticking), Effect.provideService(work, Progress, { report })))
  })

const parameters = <A, I>(schema: Schema.Schema<A, I>, { params }: Request) =>
  Either.mapLeft(Schema.decodeUnknownEither(schema)(params), () => invalidParams("invalid params"))
