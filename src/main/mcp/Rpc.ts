import { Data } from "effect"

/** A JSON-RPC error, as the client is to see it. */
export class RpcFailure extends Data.TaggedError("RpcFailure")<{
  readonly code: number
  readonly message: string
}> {}

export const methodNotFound = (message: string) => new RpcFailure({ code: -32601, message })
export const invalidParams = (message: string) => new RpcFailure({ code: -32602, message })
export const internalError = (message: string) => new RpcFailure({ code: -32603, message })
