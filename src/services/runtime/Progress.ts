import { Context, Effect } from "effect"

/**
 * Hears what a long piece of work is at, in a few words. Nobody listens unless a program provides somebody.
 *
 * @example Effect.provideService(pull({}), Progress, { report: (step) => Console.error(step) })
 */
export class Progress extends Context.Reference<Progress>()("ctx-mcp/Progress", {
  defaultValue: () => ({ report: (_step: string): Effect.Effect<void> => Effect.void })
}) {}

/** Says what the work is at. */
export const progress = (step: string): Effect.Effect<void> => Effect.flatMap(Progress, ({ report }) => report(step))
