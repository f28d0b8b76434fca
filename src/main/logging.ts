import { Config, Effect, Layer, Logger, LogLevel } from "effect"

/** Logs go to stderr, warnings and worse; `CTX_DEBUG=1` shows everything. */
export const logging = Layer.unwrapEffect(
  Effect.map(Config.string("CTX_DEBUG").pipe(Config.withDefault("")), (debug) =>
    Layer.merge(
      Logger.replace(Logger.defaultLogger, Logger.withConsoleError(Logger.stringLogger)),
      Logger.minimumLogLevel(debug === "1" ? LogLevel.Debug : LogLevel.Warning)
    )
  )
).pipe(Layer.catchAll(() => Layer.empty))
