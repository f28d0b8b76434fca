import type * as Sqlite from "node:sqlite"

/** Loads the engine without Node 22's ExperimentalWarning; every other warning passes. */
export const loadSqlite = (): typeof Sqlite => {
  const emitWarning = process.emitWarning
  const quiet = (...args: ReadonlyArray<unknown>): void => {
    if (!/sqlite.*experimental/i.test(String(args[0]))) Reflect.apply(emitWarning, process, args)
  }
  process.emitWarning = quiet
  try {
    return process.getBuiltinModule("node:sqlite")
  } finally {
    process.emitWarning = emitWarning
  }
}
