import { it, makeMethods } from "@effect/vitest"
import { FastCheck as fc } from "effect"

// Test files of one worker share their modules, and `layer(...)` writes its methods into the one `it` that there is: each
// file begins with the methods that an import promises.
makeMethods(it)

// What a property draws is the same in every run, so that a red run is about the change in it. `FC_SEED=<number>` draws
// others; a failure prints its seed.
fc.configureGlobal({ seed: Number(process.env["FC_SEED"] ?? 20_261_201) })
