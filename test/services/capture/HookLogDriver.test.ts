import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { logHook } from "../../../src/services/capture/HookLogDriver.ts"
import { bench } from "./support.ts"

describe("the hook's log", () => {
  it.scoped("stays small: over 256 KB it begins anew, and the one before is kept", () =>
    Effect.gen(function* () {
      const { store } = yield* bench
      const log = join(store, ".sync", "hook.log")
      for (let n = 0; n < 700; n++) logHook(store, { n, text: "x".repeat(1000) })
      expect(readdirSync(join(store, ".sync")).toSorted()).toEqual(["hook.log", "hook.log.1"])
      expect(statSync(log).size + statSync(`${log}.1`).size).toBeLessThan(2 * 260 * 1024)
      expect(readFileSync(log, "utf8").trimEnd().split("\n").at(-1)).toContain('"n":699')
    })
  )

  it.scoped("that cannot be written fails nothing, and no link is followed", () =>
    Effect.gen(function* () {
      const { root, store } = yield* bench
      mkdirSync(join(store, ".sync"))
      symlinkSync(join(root, "outside"), join(store, ".sync", "hook.log"))
      logHook(store, { n: 1 })
      expect(existsSync(join(root, "outside"))).toBe(false)
      writeFileSync(join(root, "file"), "")
      logHook(join(root, "file"), { n: 1 })
    })
  )
})
