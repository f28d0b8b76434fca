import { execFileSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { request } from "node:http"
import { gzipSync } from "node:zlib"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { folder, serverOn } from "../../support/cli.ts"

const MiB = 1024 * 1024

/** The most memory that a process ever held (where the system does not tell: what it holds now), in bytes. */
const peakMemory = (pid: number): number => {
  const file = `/proc/${pid}/status`
  const [, kilobytes] = existsSync(file) ? (/VmHWM:\s+(\d+) kB/.exec(readFileSync(file, "utf8")) ?? []) : []
  return 1024 * Number(kilobytes ?? execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" }))
}

interface Attack {
  readonly headers: Readonly<Record<string, string>>
  /** Sent again and again until the server hangs up or answers and so many bytes are gone. */
  readonly piece: Buffer
  readonly bytes: number
}

/** Sends an attack whole, whatever is answered meanwhile, and gives the status of the answer. */
const attack = (url: string, token: string, { bytes, headers, piece }: Attack) =>
  Effect.async<number | undefined>((resume) => {
    const sent = request(url, { method: "POST", headers: { authorization: `Bearer ${token}`, ...headers } })
    let status: number | undefined
    sent.on("response", (response) => {
      status = response.statusCode
      response.resume()
      response.on("end", () => resume(Effect.succeed(status)))
    })
    sent.on("error", () => resume(Effect.succeed(status)))
    const write = (left: number): void => {
      if (left <= 0 || sent.destroyed) sent.end()
      else sent.write(piece, () => write(left - piece.length))
    }
    write(bytes)
  })

describe("the memory of a server", () => {
  it.scopedLive(
    "stays bounded, whatever clients send: half a gigabyte of endless, deep, wrong and compressed bodies",
    () =>
      Effect.gen(function* () {
        const { pid, token, url } = yield* Effect.flatMap(folder, serverOn)
        const push = `${url}/v1/repos/team/sync/push`
        const wrong = Buffer.from(`{"files":[${"[],".repeat(2 * MiB)}[]]}`)
        const deep = Buffer.from("[".repeat(7 * MiB))
        const bomb = gzipSync(Buffer.alloc(256 * MiB))
        const filler = Buffer.alloc(MiB, "x")
        const attacks: ReadonlyArray<readonly [status: number, times: number, what: Attack]> = [
          [413, 6, { headers: {}, piece: filler, bytes: 64 * MiB }],
          [400, 6, { headers: {}, piece: deep, bytes: deep.length }],
          [400, 4, { headers: {}, piece: wrong, bytes: wrong.length }],
          [415, 4, { headers: { "content-encoding": "gzip" }, piece: bomb, bytes: bomb.length }],
          [401, 2, { headers: { authorization: "Bearer nobody" }, piece: filler, bytes: 32 * MiB }]
        ]
        const health = Effect.promise(() => fetch(`${url}/health`).then((answer) => answer.status))
        expect(yield* health).toBe(200)
        const before = peakMemory(pid)
        for (const [status, times, what] of attacks) {
          const statuses = yield* Effect.all(
            Array.from({ length: times }, () => attack(push, token ?? "", what)),
            { concurrency: "unbounded" }
          )
          expect(statuses).toEqual(Array.from({ length: times }, () => status))
        }
        expect(yield* health).toBe(200)
        expect((peakMemory(pid) - before) / MiB).toBeLessThan(300)
      })
  )
})
