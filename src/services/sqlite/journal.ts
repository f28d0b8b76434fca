/**
 * Which journal mode a database file gets. Engines before SQLite 3.51.3 (but 3.50.7 and 3.44.6) can lose part of a WAL
 * when several processes checkpoint at the same moment.
 */
export interface JournalPlan {
  /** The mode to switch to; undefined: leave the file's. */
  readonly mode: "WAL" | "TRUNCATE" | undefined
  /** Whether this connection may checkpoint by itself. */
  readonly autoCheckpoint: boolean
}

export type EngineVersion = readonly [major: number, minor: number, patch: number]

export const versionOf = (text: string): EngineVersion => {
  const [major = 0, minor = 0, patch = 0] = text.split(".").map(Number)
  return [major, minor, patch]
}

/** Whether several processes may checkpoint one WAL with this engine. */
export const checkpointsSafely = ([major, minor, patch]: EngineVersion): boolean =>
  major > 3 ||
  minor > 51 ||
  (minor === 51 && patch >= 3) ||
  (minor === 50 && patch >= 7) ||
  (minor === 44 && patch >= 6)

export const planJournal = (
  version: EngineVersion,
  currentMode: string,
  wanted: "wal" | "rollback" = "wal"
): JournalPlan => {
  const wal = currentMode.toLowerCase() === "wal"
  if (wanted === "rollback" && !wal) return { mode: "TRUNCATE", autoCheckpoint: true }
  if (checkpointsSafely(version)) return { mode: wal ? undefined : "WAL", autoCheckpoint: true }
  return wal ? { mode: undefined, autoCheckpoint: false } : { mode: "TRUNCATE", autoCheckpoint: true }
}
