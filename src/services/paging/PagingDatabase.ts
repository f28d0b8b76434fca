import { Context, Effect, Layer, Schedule, Schema } from "effect"
import { errnoOf } from "../files/Errno.ts"
import { isBusy, NewerSchema, openPaging, type PagingConnection, type Sql, sqliteCode } from "./PagingDatabaseDriver.ts"
import { PagingPlace } from "./PagingPlace.ts"

/** The paging database refuses: which file, what was tried, why. */
export class PagingFailure extends Schema.TaggedError<PagingFailure>()("PagingFailure", {
  path: Schema.String,
  operation: Schema.String,
  reason: Schema.String,
  code: Schema.Literal("busy", "corrupt", "full", "readonly", "cantopen", "newer", "other")
}) {
  override get message() {
    return `${this.path}: cannot ${this.operation} (${this.reason}). ${advice[this.code]}`
  }
}

const advice: Record<PagingFailure["code"], string> = {
  busy: "Another process held it for long; try again.",
  corrupt: "Nothing was changed: 'ctx paging check --repair' rebuilds the index, else restore the file from a backup.",
  full: "Nothing was changed: free some space on that disk, then try again.",
  readonly: "Nothing was changed: check that the file and its folder are writable.",
  cantopen: "Check that the folder exists and that you may read and write in it.",
  newer: "Nothing was changed.",
  other: "Nothing was changed."
}

const codes: ReadonlyMap<number, PagingFailure["code"]> = new Map([
  [5, "busy"],
  [6, "busy"],
  [8, "readonly"],
  [11, "corrupt"],
  [13, "full"],
  [14, "cantopen"],
  [26, "corrupt"]
])

/**
 * The project's paging database: everything said, exact, in one SQLite file. Opened, and made, by the first use.
 *
 * `work` is synchronous and touches nothing but the database: it is run again while another process holds the file.
 */
export class PagingDatabase extends Context.Tag("ctx-mcp/PagingDatabase")<
  PagingDatabase,
  {
    readonly path: string
    readonly read: <A>(operation: string, work: (sql: Sql) => A) => Effect.Effect<A, PagingFailure>
    readonly write: <A>(operation: string, work: (sql: Sql) => A) => Effect.Effect<A, PagingFailure>
    /** Brings what was written into the file itself, so that nothing of what it replaced is beside it. */
    readonly checkpoint: Effect.Effect<void, PagingFailure>
  }
>() {
  static readonly layer = Layer.scoped(
    PagingDatabase,
    Effect.gen(function* () {
      const { database: path } = yield* PagingPlace
      let open: PagingConnection | undefined
      yield* Effect.addFinalizer(() => Effect.sync(() => open?.close()))

      // Waiting for others is done here, without holding up the event loop.
      const connection = () => (open ??= openPaging(path, { busyMs: 20 }))
      const attempt = <A>(operation: string, run: (database: PagingConnection) => A) =>
        Effect.try({ try: () => run(connection()), catch: (error) => failure(path, operation, error) }).pipe(
          Effect.retry({ while: ({ code }) => code === "busy", schedule: whileBusy })
        )
      return {
        path,
        read: (operation, work) => attempt(operation, (database) => database.read(work)),
        write: (operation, work) => attempt(operation, (database) => database.write(work)),
        checkpoint: attempt("empty the journal", (database) => database.checkpoint())
      }
    })
  )
}

const whileBusy = Schedule.exponential("5 millis").pipe(
  Schedule.either(Schedule.spaced("100 millis")),
  Schedule.jittered,
  Schedule.upTo("30 seconds")
)

const failure = (path: string, operation: string, error: unknown): PagingFailure => {
  const reason = error instanceof Error ? error.message : String(error)
  if (error instanceof NewerSchema) return new PagingFailure({ path, operation, reason, code: "newer" })
  const named = codes.get(sqliteCode(error) ?? 0)
  if (named !== undefined || isBusy(error)) return new PagingFailure({ path, operation, reason, code: named ?? "busy" })
  const errno = errnoOf(error)
  const code =
    errno === "ENOSPC" ? "full" : errno === "EROFS" ? "readonly" : /^E[A-Z]+$/.test(errno) ? "cantopen" : "other"
  return new PagingFailure({ path, operation, reason, code })
}
