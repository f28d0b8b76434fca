import { Duration, Effect } from "effect"
import type { FaultyClock } from "../support/faults/FaultyClock.ts"
import { FileFault } from "../support/faults/FaultyFileSystem.ts"
import { HttpFault } from "../support/faults/FaultyHttp.ts"
import type { Process } from "./Clone.ts"
import type { Dice } from "./dice.ts"
import type { Server } from "./Server.ts"

export interface Target {
  readonly process: Process
  readonly server: Server
  readonly clock: FaultyClock
  readonly dice: Dice
  /** Something that another user, or another process on this clone, does meanwhile. */
  readonly meanwhile: () => Effect.Effect<void>
}

/** What is to befall the next step, as words for the log. Undefined: nothing. */
export const drawMisfortune = (target: Target): string | undefined =>
  target.dice.weighted<(target: Target) => string | undefined>([
    [50, () => undefined],
    [8, killedAtFile],
    [8, killedAtReplacing],
    [6, killedAtRequest],
    [8, refusedFile],
    [12, troubledRequest],
    [10, interleaved],
    [4, deadServer]
  ])(target)

/** A push or pull makes some forty calls of the file system; most steps meet what is drawn here. */
const fileCall = ({ dice }: Target) => dice.int(1, dice.pick([6, 15, 40]))
const request = ({ dice }: Target) => dice.int(1, 4)

const killedAtFile = (target: Target) => {
  const k = fileCall(target)
  target.process.files.failAt(k, FileFault.Crash())
  return `killed at file call ${k}`
}

/** Around the moments that matter most: a page, the state, an index is replaced. */
const killedAtReplacing = (target: Target) => {
  const what = target.dice.pick(["state.json", "state.json", ".md", "index.md"])
  const k = target.dice.int(0, 3)
  target.process.files.failAfter(
    ({ operation, target: path }) => operation === "rename" && path.endsWith(what),
    k,
    FileFault.Crash()
  )
  return `killed ${k} calls after ${what} is replaced`
}

const killedAtRequest = (target: Target) => {
  const k = request(target)
  const handled = target.dice.chance(0.6)
  target.process.http.failAt(k, HttpFault.Crash({ handled }))
  return `killed at request ${k}${handled ? ", which was handled" : ""}`
}

const refusedFile = (target: Target) => {
  const { dice, process } = target
  const k = fileCall(target)
  const errno = dice.pick(["ENOSPC", "EIO", "EACCES"])
  const fault = dice.chance(0.4) ? FileFault.Tear({ errno, part: dice.pick([0, 0.3, 1]) }) : FileFault.Fail({ errno })
  // A full disk stays full for a while.
  const many = dice.pick([1, 1, 5, 100])
  for (let n = 0; n < many; n++) process.files.failAt(k + n, fault)
  return `${fault._tag} ${errno} at file call ${k}, ${many} times`
}

const troubledRequest = (target: Target) => {
  const { dice, process } = target
  const k = request(target)
  const fault = dice.pick<HttpFault>([
    HttpFault.LostRequest(),
    HttpFault.LostAnswer(),
    HttpFault.LostAnswer(),
    HttpFault.CutAnswer({ part: 0.5 }),
    HttpFault.Duplicate(),
    HttpFault.Status({ status: 503, handled: false }),
    HttpFault.Status({ status: 502, handled: true }),
    HttpFault.Status({ status: 500, handled: true }),
    HttpFault.Delay({ by: Duration.seconds(70) }),
    HttpFault.SlowAnswer({ by: Duration.seconds(70) })
  ])
  // The client tries three times.
  const many = dice.pick([1, 3])
  for (let n = 0; n < many; n++) process.http.failAt(k + n, fault)
  return `${fault._tag} at request ${k}, ${many} times`
}

const interleaved = (target: Target) => {
  const k = request(target)
  const first = target.dice.chance(0.5)
  const run = Effect.suspend(target.meanwhile)
  target.process.http.failAt(
    k,
    HttpFault.Meanwhile({ before: first ? run : Effect.void, after: first ? Effect.void : run })
  )
  return `something else happens ${first ? "before" : "after"} request ${k}`
}

const deadServer = (target: Target) => {
  const k = request(target)
  const handled = target.dice.chance(0.7)
  target.server.dieAt({ k, handled })
  return `the server dies at request ${k}${handled ? ", between commit and reply" : ""}`
}

/** Whether any of it came to pass. */
export const befell = (
  { process }: Pick<Target, "process">,
  since: { readonly files: number; readonly http: number }
) =>
  process.files.calls.slice(since.files).some(({ fault }) => fault !== undefined) ||
  process.http.calls.slice(since.http).some(({ fault }) => fault !== undefined)
