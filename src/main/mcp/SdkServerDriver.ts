// @ts-types="@modelcontextprotocol/sdk/server"
import { Server } from "@modelcontextprotocol/sdk/server/index.js"
import { Cause, Effect, Exit, type Fiber, FiberId } from "effect"
import { version } from "../Build.ts"
import { icons } from "./icons.ts"
import { instructions } from "./instructions.ts"
import type { Request } from "./methods.ts"
import { internalError, type RpcFailure } from "./Rpc.ts"

type Answer = Record<string, unknown>

/** How the SDK's promises meet our fibers. */
export interface Wiring {
  /** Starts the answer to a request; the fiber is interrupted when the client cancels. */
  readonly start: (request: Request, client: string | undefined) => Fiber.RuntimeFiber<object, RpcFailure>
  /** The client has shaken hands, and may be told things. */
  readonly onReady: () => void
  /** What the SDK could not make sense of. */
  readonly onOdd: (reason: string) => void
}

/** The SDK's low-level server: it does the handshake, framing of answers, and cancelling; every other request is ours. */
export const sdkServer = ({ onOdd, onReady, start }: Wiring): Server => {
  const server = new Server(
    { name: "contexo", title: "Contexo", version, icons },
    {
      capabilities: {
        tools: { listChanged: true },
        resources: { listChanged: true, subscribe: true },
        prompts: { listChanged: true },
        completions: {}
      },
      instructions,
      jsonSchemaValidator: noValidator
    }
  )
  Object.assign(server, { onerror: (error: Error) => onOdd(error.message), oninitialized: onReady })
  server.fallbackRequestHandler = ({ method, params }, { _meta, sendNotification, signal }) => {
    const progressToken = _meta?.progressToken
    const request: Request = {
      method,
      params,
      progress: (step) =>
        progressToken === undefined
          ? Effect.void
          : Effect.ignore(
              Effect.tryPromise(() =>
                sendNotification({ method: "notifications/progress", params: { progressToken, ...step } })
              )
            )
    }
    return settled(start(request, server.getClientVersion()?.name), signal)
  }
  return server
}

/** Only forms that a server asks its user to fill in are validated; we send none, and the default costs start-up time. */
const noValidator = {
  getValidator: () => () => ({ valid: false as const, data: undefined, errorMessage: "not supported" })
}

/** A fiber as a promise that the SDK understands. Whatever goes wrong is an answer, never a crash. */
const settled = (fiber: Fiber.RuntimeFiber<object, RpcFailure>, signal: AbortSignal): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const interrupt = () => fiber.unsafeInterruptAsFork(FiberId.none)
    signal.addEventListener("abort", interrupt, { once: true })
    fiber.addObserver((exit) => {
      signal.removeEventListener("abort", interrupt)
      if (Exit.isSuccess(exit)) resolve({ ...exit.value })
      else reject(failureOf(exit.cause))
    })
  })

const failureOf = (cause: Cause.Cause<RpcFailure>): RpcFailure => {
  const failure = Cause.failureOption(cause)
  if (failure._tag === "Some") return failure.value
  return internalError(Cause.isInterruptedOnly(cause) ? "the request was cancelled" : "internal error")
}
