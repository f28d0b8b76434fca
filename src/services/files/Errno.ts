import type { PlatformError } from "@effect/platform/Error"
import { Predicate } from "effect"
import { FileFailure } from "./FileFailure.ts"

/** The system's own name for what went wrong (`EACCES`, `ENOSPC`, ...), else the message. */
export const errnoOf = (error: unknown): string => {
  if (Predicate.hasProperty(error, "code") && typeof error.code === "string") return error.code
  if (Predicate.hasProperty(error, "cause") && error.cause !== undefined) return errnoOf(error.cause)
  return Predicate.hasProperty(error, "message") && typeof error.message === "string" ? error.message : String(error)
}

/** Turns the platform's error into one that names the path, the step and the errno. */
export const fileFailure = (path: string, operation: string) => (error: PlatformError) =>
  new FileFailure({ path, operation, reason: errnoOf(error) })
