import { Effect, ExecutionStrategy, Exit, Ref, Scope } from "effect"
import { open, type OpenOptions, type SqliteDatabase, type SqliteFailure } from "../sqlite/SqliteDriver.ts"
import { identityOf } from "./StorePathDriver.ts"

/** One database file that is opened when it is first needed, and again when another file stands in its place. */
export interface LazyDatabase {
  /** The connection to the file that stands at the path now. */
  readonly current: Effect.Effect<SqliteDatabase, SqliteFailure>
  /** Closes it, for a file that is about to be moved. */
  readonly close: Effect.Effect<void>
}

interface Opened {
  readonly database: SqliteDatabase
  readonly scope: Scope.CloseableScope
  readonly identity: string | undefined
}

/**
 * Keeps a connection for the length of the scope. A file that somebody removed or replaced meanwhile (a corrupt one that
 * was moved aside, a folder that was cleaned) is noticed, so that nothing is written into, or locked on, a file without a
 * name.
 *
 * Gotcha: not for several fibers at a time; the caller has its own turn-taking.
 */
export const lazyDatabase = Effect.fnUntraced(function* (
  options: OpenOptions,
  prepare: (database: SqliteDatabase) => Effect.Effect<unknown, SqliteFailure> = () => Effect.void
) {
  const parent = yield* Effect.scope
  const opened = yield* Ref.make<Opened | undefined>(undefined)

  const close = Effect.flatMap(Ref.getAndSet(opened, undefined), (known) =>
    known === undefined ? Effect.void : Scope.close(known.scope, Exit.void)
  )
  const reopen = Effect.uninterruptible(
    Effect.gen(function* () {
      yield* close
      const scope = yield* Scope.fork(parent, ExecutionStrategy.sequential)
      const database = yield* Effect.tap(open(options), prepare).pipe(
        Scope.extend(scope),
        Effect.tapError(() => Scope.close(scope, Exit.void))
      )
      yield* Ref.set(opened, { database, scope, identity: identityOf(options.path) })
      return database
    })
  )
  const current = Effect.flatMap(Ref.get(opened), (known) =>
    known !== undefined && known.identity === identityOf(options.path) ? Effect.succeed(known.database) : reopen
  )
  return { current, close } satisfies LazyDatabase
})
