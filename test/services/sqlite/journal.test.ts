import { describe, expect, it } from "@effect/vitest"
import { checkpointsSafely, planJournal, versionOf } from "../../../src/services/sqlite/journal.ts"

describe("journal mode", () => {
  it("knows the engines whose WAL survives several checkpointing processes", () => {
    const safe = ["3.51.3", "3.51.10", "3.52.0", "3.50.7", "3.44.6", "4.0.0"]
    const unsafe = ["3.51.2", "3.50.6", "3.49.9", "3.44.5", "3.45.0", "3.7.0", ""]
    expect(safe.filter((text) => !checkpointsSafely(versionOf(text)))).toEqual([])
    expect(unsafe.filter((text) => checkpointsSafely(versionOf(text)))).toEqual([])
  })

  it("uses WAL where it is safe, TRUNCATE elsewhere, and does not checkpoint a foreign WAL with an unsafe engine", () => {
    expect(planJournal([3, 51, 3], "delete")).toEqual({ mode: "WAL", autoCheckpoint: true })
    expect(planJournal([3, 51, 3], "wal")).toEqual({ mode: undefined, autoCheckpoint: true })
    expect(planJournal([3, 46, 1], "delete")).toEqual({ mode: "TRUNCATE", autoCheckpoint: true })
    expect(planJournal([3, 46, 1], "WAL")).toEqual({ mode: undefined, autoCheckpoint: false })
  })

  it("keeps a plain journal where one is wanted, but never converts a file that already is WAL", () => {
    expect(planJournal([3, 51, 3], "delete", "rollback")).toEqual({ mode: "TRUNCATE", autoCheckpoint: true })
    expect(planJournal([3, 51, 3], "wal", "rollback")).toEqual({ mode: undefined, autoCheckpoint: true })
    expect(planJournal([3, 46, 1], "wal", "rollback")).toEqual({ mode: undefined, autoCheckpoint: false })
  })
})
