import { FileSystem } from "@effect/platform"
import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Option } from "effect"
import { execFileSync, spawnSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import { createServer, type Socket } from "node:net"
import { cloneSource } from "../../../src/services/migrate/Clone.ts"
import { holdCloneLock } from "../../../src/services/migrate/CloneLock.ts"
import { faultyFileSystem } from "../../support/disk/faults.ts"
import { gitServer } from "../../support/gitServer.ts"
import { freshPlace, type Place, platform } from "../../support/place.ts"

/** A bare repository with two commits, beside a project. */
const start = Effect.gen(function* () {
  const place = yield* freshPlace
  yield* place.makeFolder("project/.contexo")
  yield* place.write("work/README.md", "one\n")
  yield* place.git("work", "init", "-q", "-b", "main")
  return place
})

const commit = (place: Place, message = "x") =>
  Effect.zipRight(place.git("work", "add", "-A"), place.git("work", "commit", "-q", "-m", message))

const publish = (place: Place) => place.git(".", "clone", "-q", "--bare", "work", "acme-api.git")

const contexo = (place: Place) => place.at("project/.contexo")
const address = (place: Place) => `file://${place.at("acme-api.git")}`

/** What is left in the cache of clones. */
const left = (place: Place) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) =>
    Effect.orElseSucceed(fs.readDirectory(place.at("project/.contexo/.migrate-cache")), () => [])
  )

const test = <E>(
  name: string,
  body: (place: Place) => Effect.Effect<unknown, E, Effect.Effect.Context<typeof start>>
) => it.scopedLive(name, () => Effect.provide(Effect.flatMap(start, body), platform))

describe("a clone", () => {
  test("is the newest commit's files, exactly, in a folder named for the repository", (place) =>
    Effect.gen(function* () {
      yield* commit(place)
      yield* place.write("work/README.md", "two\r\n$Id$\n")
      yield* place.write("work/docs/a.md", "a\n")
      yield* place.write("work/.gitattributes", "*.md ident text eol=lf\n")
      yield* commit(place)
      yield* publish(place)
      const { clone, root, url } = yield* cloneSource(contexo(place), address(place))
      const name = Option.getOrThrow(clone)
      expect(root).toBe(place.at("project/.contexo/.migrate-cache", name, "acme-api"))
      expect(url).toEqual(Option.some(address(place)))
      const at = (path: string) => `project/.contexo/.migrate-cache/${name}/acme-api/${path}`
      expect(yield* place.read(at("docs/a.md"))).toBe("a\n")
      // As it is in the repository: no line end and no keyword of the checkout's making.
      expect(yield* place.read(at("README.md"))).toBe("two\n$Id$\n")
      const history = execFileSync("git", ["-C", root, "rev-list", "--count", "HEAD"]).toString()
      expect(history.trim()).toBe("1")
    }))

  test("runs no hook, no filter and no submodule, and fetches no large file", (place) =>
    Effect.gen(function* () {
      const touched = place.at("touched")
      yield* place.write("hooks/post-checkout", `#!/bin/sh\ntouch ${touched}\n`)
      yield* place.chmod("hooks/post-checkout", 0o755)
      yield* place.write("template/hooks/post-checkout", `#!/bin/sh\ntouch ${touched}\n`)
      yield* place.chmod("template/hooks/post-checkout", 0o755)
      yield* place.write(
        "gitconfig",
        [
          `[core]\n  hooksPath = ${place.at("hooks")}\n  fsmonitor = touch ${touched}`,
          `[init]\n  templateDir = ${place.at("template")}`,
          `[filter "evil"]\n  smudge = touch ${touched}\n  required = true`,
          `[filter "lfs"]\n  smudge = touch ${touched}\n  process = touch ${touched}\n  required = true`,
          "[submodule]\n  recurse = true",
          ""
        ].join("\n")
      )
      yield* place.write("work/.gitattributes", "*.md filter=evil\n*.bin filter=lfs\n")
      yield* place.write("work/big.bin", "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n")
      yield* place.write("inner/x.md", "x")
      yield* place.git("inner", "init", "-q")
      yield* place.git("inner", "add", "-A")
      yield* place.git("inner", "commit", "-q", "-m", "x")
      yield* place.git("work", "submodule", "--quiet", "add", place.at("inner"), "inner")
      yield* commit(place)
      yield* publish(place)
      const { root } = yield* withVariable(
        "GIT_CONFIG_GLOBAL",
        place.at("gitconfig"),
        cloneSource(contexo(place), address(place))
      )
      expect(yield* place.exists("touched")).toBe(false)
      const fs = yield* FileSystem.FileSystem
      expect(yield* fs.readFileString(`${root}/README.md`)).toBe("one\n")
      expect(yield* fs.readFileString(`${root}/big.bin`)).toContain("git-lfs")
      expect(yield* fs.readDirectory(`${root}/inner`)).toEqual([])
      expect(yield* fs.exists(`${root}/.git/hooks`)).toBe(false)
    }))

  test("works where a hook of git itself runs us", (place) =>
    Effect.gen(function* () {
      yield* commit(place)
      yield* publish(place)
      const source = yield* withVariable(
        "GIT_DIR",
        place.at("work/.git"),
        withVariable("GIT_INDEX_FILE", place.at("work/.git/index"), cloneSource(contexo(place), address(place)))
      )
      expect(Option.isSome(source.clone)).toBe(true)
    }))

  test("that cannot be had leaves nothing, and says why", (place) =>
    Effect.gen(function* () {
      yield* commit(place)
      yield* publish(place)
      yield* place.git(".", "init", "-q", "--bare", "empty.git")
      const says = (url: string) => Effect.map(Effect.flip(cloneSource(contexo(place), url)), ({ message }) => message)
      const scoped = (url: string) => Effect.scoped(says(url))
      expect(yield* scoped(`file://${place.at("empty.git")}`)).toMatch(/empty: it has no commits\. Nothing was staged/)
      expect(yield* scoped(`file://${place.at("gone.git")}`)).toMatch(/could not be cloned: .*gone\.git/)
      expect(yield* scoped("http://ada:s3cr3t@127.0.0.1:1/r")).toMatch(
        /^http:\/\/127\.0\.0\.1:1\/r could not be cloned/
      )
      expect(yield* scoped("http://ada:s3cr3t@127.0.0.1:1/r")).not.toContain("s3cr3t")
      expect(yield* scoped("ext::sh -c 'touch x'")).toContain("want https://")
      expect(yield* scoped("ftp://ada:s3cr3t@h/r")).not.toContain("s3cr3t")
      expect(yield* left(place)).toEqual([])
    }))

  test("A14: is not made through a cache that leads out of the project", (place) =>
    Effect.gen(function* () {
      yield* commit(place)
      yield* publish(place)
      yield* place.makeFolder("elsewhere")
      yield* place.link(place.at("elsewhere"), "project/.contexo/.migrate-cache")
      const failure = yield* Effect.flip(cloneSource(contexo(place), address(place)))
      expect(failure.message).toContain("leads out of the project")
      expect(yield* place.below("elsewhere").everything).toEqual([])
    }))

  test("stops at its limits of bytes and of files, and leaves nothing", (place) =>
    Effect.gen(function* () {
      yield* place.write("work/noise.bin", randomBytes(3 * 1024 * 1024))
      yield* place.write("work/a.md", "a")
      yield* commit(place)
      yield* publish(place)
      const limits = { bytes: 1024 * 1024 * 1024, files: 100, time: "1 minute" } as const
      const says = (more: Partial<typeof limits> | { readonly bytes: number } | { readonly files: number }) =>
        Effect.scoped(
          Effect.map(
            Effect.flip(cloneSource(contexo(place), address(place), { ...limits, ...more })),
            ({ message }) => message
          )
        )
      expect(yield* says({ bytes: 2 * 1024 * 1024 })).toContain("it is larger than 2 MiB")
      expect(yield* says({ files: 1 })).toContain("it holds more than 1 files")
      expect(yield* left(place)).toEqual([])
    }))

  test("whose server says nothing is given up, and an interruption ends git and its connection", (place) =>
    Effect.gen(function* () {
      const silent = yield* silentServer
      const url = `git://127.0.0.1:${silent.port}/r`
      const limits = { bytes: 1e9, files: 100, time: "300 millis" } as const
      const failure = yield* Effect.scoped(Effect.flip(cloneSource(contexo(place), url, limits)))
      expect(failure.message).toContain("it took longer than 300ms")
      yield* silent.closed
      const running = yield* Effect.fork(Effect.scoped(cloneSource(contexo(place), url)))
      yield* silent.connected
      yield* Fiber.interrupt(running)
      yield* silent.closed
      expect(yield* left(place)).toEqual([])
    }))

  test("comes over HTTP with the login of its address, which no file of the clone holds", (place) =>
    Effect.gen(function* () {
      yield* commit(place)
      yield* publish(place)
      const { port } = yield* gitServer(place.folder, "ada:s3cr3t")
      const url = (login: string) => `http://${login}127.0.0.1:${port}/acme-api.git`
      for (const login of ["", "ada:wrong@"]) {
        const failure = yield* Effect.scoped(Effect.flip(cloneSource(contexo(place), url(login))))
        expect(failure.message).toContain("it wants a login")
      }
      const source = yield* cloneSource(contexo(place), url("ada:s3cr3t@"))
      expect(source.url).toEqual(Option.some(url("")))
      expect(execFileSync("grep", ["-c", "one", `${source.root}/README.md`]).toString()).toBe("1\n")
      expect(spawnSync("grep", ["-rq", "-e", "s3cr3t", "-e", btoa("ada:s3cr3t"), source.root]).status).toBe(1)
    }))

  test("on a disk that fails at any call says so, and leaves nothing of it", (place) =>
    Effect.gen(function* () {
      yield* commit(place)
      yield* publish(place)
      let failures = 0
      for (let at = 1; at <= 12; at++) {
        const exit = yield* cloneSource(contexo(place), address(place)).pipe(
          Effect.scoped,
          Effect.provide(faultyFileSystem({ at, code: "EIO" })),
          Effect.exit
        )
        if (exit._tag === "Failure") {
          failures++
          expect(String(exit.cause)).toContain("EIO")
          expect(yield* left(place)).toEqual([])
        }
        yield* place.makeFolder("project/.contexo/.migrate-cache")
        yield* place.remove("project/.contexo/.migrate-cache")
      }
      expect(failures).toBeGreaterThan(2)
    }))

  test("is one's own while it is made: others wait, and are told", (place) =>
    Effect.gen(function* () {
      yield* holdCloneLock(contexo(place), "1 second")
      const failure = yield* Effect.flip(Effect.scoped(holdCloneLock(contexo(place), 0)))
      expect(failure.message).toContain("another 'ctx migrate' is at work")
    }))
})

/** Runs with a variable of this process's own environment. */
const withVariable = <A, E, R>(name: string, value: string, effect: Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      const before = process.env[name]
      process.env[name] = value
      return before
    }),
    () => effect,
    (before) =>
      Effect.sync(() => {
        if (before === undefined) delete process.env[name]
        else process.env[name] = before
      })
  )

/** A server that takes connections and says nothing. */
const silentServer = Effect.gen(function* () {
  const connected = yield* Deferred.make<void>()
  let open = 0
  let waiting: (() => void) | undefined
  let seen = 0
  const server = createServer((socket: Socket) => {
    open++
    // The first is the one that is given up.
    if (++seen === 2) Deferred.unsafeDone(connected, Effect.void)
    socket.on("error", () => undefined)
    socket.on("close", () => {
      open--
      if (open === 0) waiting?.()
    })
    socket.resume()
  })
  yield* Effect.acquireRelease(
    Effect.async<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
    () => Effect.sync(() => server.close())
  )
  const at = server.address()
  const closed = Effect.async<void>((resume) => {
    if (open === 0) resume(Effect.void)
    else waiting = () => resume(Effect.void)
  })
  return { port: typeof at === "object" && at !== null ? at.port : 0, connected: Deferred.await(connected), closed }
})
