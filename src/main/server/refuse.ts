import { Effect } from "effect"
import type {
  AlreadyExists,
  ForeignHistory,
  InvalidRequest,
  NotAllowed,
  NotAuthenticated,
  NotFound,
  Purged
} from "../../effects/server/errors.ts"
import type { EmailTaken, PushIdReused, StoreUnavailable } from "../../services/server/ServerStore.ts"
import type { Refusal } from "../../services/sync/SyncHttpApi.ts"
import type { BodyFailure } from "./body.ts"

type Failure =
  | AlreadyExists
  | BodyFailure
  | EmailTaken
  | ForeignHistory
  | InvalidRequest
  | NotAllowed
  | NotFound
  | Purged
  | PushIdReused
  | StoreUnavailable

/** The one table of failures and statuses. What only the operator should know is logged, not answered. */
export const refuse = <A, R>(effect: Effect.Effect<A, Failure, R>): Effect.Effect<A, Refusal, R> =>
  Effect.catchAll(effect, (failure): Effect.Effect<never, Refusal> => {
    const error = failure.message
    switch (failure._tag) {
      case "InvalidRequest":
      case "MalformedBody":
        return Effect.fail({ status: 400, error })
      case "PushIdReused":
        return Effect.fail({ status: 400, error, code: "push_id_reused" })
      case "NotAllowed":
        return Effect.fail({ status: 403, error })
      case "NotFound":
        return Effect.fail({ status: 404, error })
      case "AlreadyExists":
      case "EmailTaken":
        return Effect.fail({ status: 409, error })
      case "ForeignHistory":
        return Effect.fail({ status: 409, error, code: "unknown_history" })
      case "Purged":
        return Effect.fail({ status: 410, error, code: "purged" })
      case "BodyTooLarge":
        return Effect.fail({ status: 413, error })
      case "EncodedBody":
        return Effect.fail({ status: 415, error })
      case "StoreUnavailable":
        return Effect.zipRight(Effect.logError(error), Effect.fail(internalError))
    }
  })

export const unauthorised = ({ message }: NotAuthenticated) => ({ status: 401, error: message }) as const

export const internalError = { status: 500, error: "internal error" } as const
