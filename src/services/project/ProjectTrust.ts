import { type FileSystem, Path } from "@effect/platform"
import { Effect, Option } from "effect"
import { environment } from "../runtime/Environment.ts"
import { FileFailure, LeavesStore } from "../files/FileFailure.ts"
import { realPathIfThere, statIfThere } from "../files/Files.ts"
import { UntrustedProject } from "./Project.ts"
import { locate } from "./StorePathDriver.ts"
import { currentUid } from "../runtime/UserDriver.ts"

type Disk = FileSystem.FileSystem | Path.Path

/**
 * Refuses a `.contexo/` that somebody else may have planted: it must belong to the running user or to root, not be
 * world-writable, and not lead out of the project through a symbolic link. `CONTEXO_SAFE_DIR`, naming the project or its
 * `.contexo/`, overrides. Windows has neither owners nor modes of this kind: there only the link counts.
 */
export const checkTrust = (root: string): Effect.Effect<void, UntrustedProject | FileFailure, Disk> =>
  Effect.gen(function* () {
    const path = yield* Path.Path
    const contexo = path.join(root, ".contexo")
    const untrusted = (reason: string) => new UntrustedProject({ path: contexo, reason })
    const safe = yield* environment("CONTEXO_SAFE_DIR")
    if (Option.isSome(safe)) {
      const named = path.resolve(safe.value)
      const resolved = Option.getOrElse(yield* realPathIfThere(named), () => named)
      if ([named, resolved].some((folder) => folder === root || folder === contexo)) return
    }
    const place = locate(root, ".contexo")
    if (place._tag === "Outside") return yield* untrusted(`it is a symbolic link that leads out, to ${place.target}`)
    const info = yield* statIfThere(contexo)
    const uid = yield* currentUid
    if (Option.isNone(info) || Option.isNone(uid)) return
    const owner = Option.getOrElse(info.value.uid, () => uid.value)
    if (owner !== uid.value && owner !== 0)
      return yield* untrusted(`it belongs to user ${owner}, not to you (${uid.value})`)
    if ((info.value.mode & 0o002) !== 0) return yield* untrusted("everybody may write in it (chmod o-w it)")
  })

/** Fails where a path below a folder would be read or written outside of it, through a symbolic link (A14). */
export const staysInside = (folder: string, below: string): Effect.Effect<void, LeavesStore | FileFailure, Path.Path> =>
  Effect.gen(function* () {
    const path = (yield* Path.Path).join(folder, below)
    const place = locate(folder, below)
    if (place._tag === "Outside") return yield* new LeavesStore({ path, target: place.target })
    if (place._tag === "Refused") return yield* new FileFailure({ path, operation: "use", reason: place.reason })
  })
