import { FileSystem, Path } from "@effect/platform"
import { Duration, Effect, Either, Encoding, Option, Random, Schedule, Schema } from "effect"
import { sourceName } from "../../model/page/Catalog.ts"
import { type GitUrl, parseGitUrl, withoutLogins } from "../../model/migrate/GitUrl.ts"
import { forAgentLine } from "../../model/text/Sanitise.ts"
import { fileFailure } from "../files/Errno.ts"
import { realPathIfThere } from "../files/Files.ts"
import { type GitRun, runGit } from "../git/GitDriver.ts"
import { progress } from "../runtime/Progress.ts"
import { ensureFolder } from "../project/StoreFolder.ts"
import { locate } from "../project/StorePathDriver.ts"
import { holdCloneLock } from "./CloneLock.ts"
import { folderSize } from "./FolderSize.ts"
import { NoSuchSource, type Source } from "./Source.ts"
import { clonesFolder } from "./Staging.ts"

/** The repository could not be had. What was there of it is deleted again. */
export class CloneFailed extends Schema.TaggedError<CloneFailed>()("CloneFailed", {
  /** Without credentials. */
  url: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    return `${this.url} could not be cloned: ${this.reason}. Nothing was staged.`
  }
}

/** How much of a repository is fetched, and how long that may take. */
export interface CloneLimits {
  /** Of what is fetched, and again of the files. */
  readonly bytes: number
  readonly files: number
  readonly time: Duration.DurationInput
}

const usual: CloneLimits = { bytes: 512 * 1024 * 1024, files: 100_000, time: "5 minutes" }

/**
 * Clones the newest commit of a repository into the cache of clones, to be looked into. Nothing of it is run: no hook, no
 * filter, no submodule, no large file storage, no command that an address could smuggle in; and nobody is asked for a
 * password. A login in the address reaches git by its environment, and no file, message or process list.
 *
 * Holds the lock of the clones until the scope ends: by then something should refer to the clone, or it goes at the next
 * call of `sweepClones`. Stopped, it leaves neither processes nor files.
 *
 * @param address As typed.
 *
 * @example const source = yield* cloneSource(contexo, "https://git.example/acme/handbook.git")
 *
 * Source: design.md section 7; public case A30.
 */
export const cloneSource = Effect.fn("cloneSource")(function* (
  contexo: string,
  address: string,
  limits: CloneLimits = usual
) {
  const url = yield* Either.mapLeft(
    parseGitUrl(address),
    // Nobody knows where a login ends in an address that cannot be read.
    (reason) => new NoSuchSource({ source: address.replace(/^([a-z][a-z0-9+.-]*:+\/*)?.*@/i, "$1"), reason })
  )
  yield* holdCloneLock(contexo, "10 seconds")
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const name = (yield* Random.nextIntBetween(0, 2 ** 32)).toString(16).padStart(8, "0")
  const place = `${clonesFolder}/${name}`
  const folder = path.join(contexo, place)
  // The last part of the path names the source, in the slug of the page that says where pages came from.
  const target = path.join(folder, sourceName(url.shown))
  yield* progress(`cloning ${url.shown}`)
  yield* ensureFolder(contexo, place).pipe(
    Effect.zipRight(download(url, folder, target, limits)),
    Effect.zipRight(fill(url, target, limits)),
    Effect.timeoutFail({
      duration: limits.time,
      onTimeout: () => failed(url, `it took longer than ${Duration.format(Duration.decode(limits.time))}`)
    }),
    Effect.onError(() =>
      locate(contexo, place)._tag === "Folder"
        ? Effect.ignoreLogged(fs.remove(folder, { recursive: true, force: true }))
        : Effect.void
    )
  )
  const root = Option.getOrElse(yield* realPathIfThere(target), () => target)
  return { root, url: Option.some(url.shown), clone: Option.some(name) } satisfies Source
})

const failed = (url: GitUrl, reason: string) => new CloneFailed({ url: url.shown, reason })

/** Fetches, and stops when more comes than is allowed. */
const download = (url: GitUrl, folder: string, target: string, { bytes }: CloneLimits) =>
  Effect.raceFirst(
    git(url, folder, [
      "clone",
      "--quiet",
      "--depth=1",
      "--single-branch",
      "--no-tags",
      "--no-checkout",
      "--no-recurse-submodules",
      // Templates may bring hooks along.
      "--template=",
      "--",
      url.address,
      target
    ]),
    folderSize(folder).pipe(
      Effect.filterOrFail(
        (size) => size <= bytes,
        () => tooLarge(url, bytes)
      ),
      Effect.schedule(Schedule.spaced("250 millis")),
      Effect.zipRight(Effect.never)
    )
  )

const tooLarge = (url: GitUrl, bytes: number) => failed(url, `it is larger than ${Math.round(bytes / 1024 / 1024)} MiB`)

/** Writes the files of the commit, after a look at how many and how large they are. */
const fill = Effect.fnUntraced(function* (url: GitUrl, target: string, { bytes, files }: CloneLimits) {
  const fs = yield* FileSystem.FileSystem
  const head = yield* git(url, target, ["rev-parse", "--quiet", "--verify", "HEAD^{commit}"]).pipe(Effect.option)
  if (Option.isNone(head)) return yield* failed(url, "it is empty: it has no commits")
  const listed = yield* git(url, target, ["ls-tree", "-r", "-l", "-z", "HEAD"])
  const sizes = Buffer.from(listed)
    .toString("latin1")
    .split("\0")
    .map((entry) => Number(/^\d+ blob [0-9a-f]+ +(\d+)\t/.exec(entry)?.[1] ?? 0))
  if (sizes.length > files) return yield* failed(url, `it holds more than ${files} files`)
  if (sizes.reduce((sum, size) => sum + size, 0) > bytes) return yield* tooLarge(url, bytes)
  // Attributes of the tree choose filters, which are commands of this machine's settings. These come before them.
  const info = `${target}/.git/info`
  yield* fs
    .makeDirectory(info, { recursive: true })
    .pipe(
      Effect.zipRight(fs.writeFileString(`${info}/attributes`, "* -filter -text -eol -ident -working-tree-encoding\n")),
      Effect.mapError(fileFailure(info, "write"))
    )
  yield* git(url, target, ["read-tree", "--reset", "-u", "HEAD"])
})

/** What a list of files may take. A tree that repeats itself lists without end. */
const mostListed = 64 * 1024 * 1024

const git = Effect.fnUntraced(function* (url: GitUrl, cwd: string, args: GitRun["args"]) {
  const ended = yield* runGit({ args: [...settings, ...args], cwd, env: environmentFor(url), most: mostListed })
  if (ended.overflow) return yield* failed(url, "it lists too many files")
  return ended.code === 0 ? ended.stdout : yield* failed(url, reasonIn(ended.stderr))
})

/** Before whatever the settings of the machine say. */
const settings: ReadonlyArray<string> = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.askPass=",
  "submodule.recurse=false",
  "fetch.recurseSubmodules=false",
  // As a pack: what comes in is seen growing.
  "fetch.unpackLimit=1",
  "gc.auto=0",
  "maintenance.auto=false",
  "http.lowSpeedLimit=1000",
  "http.lowSpeedTime=30",
  "filter.lfs.smudge=",
  "filter.lfs.process=",
  "filter.lfs.required=false"
].flatMap((setting) => ["-c", setting])

const environmentFor = ({ address, login, scheme }: GitUrl): Readonly<Record<string, string>> => ({
  GIT_TERMINAL_PROMPT: "0",
  GIT_ASKPASS: "",
  SSH_ASKPASS: "",
  SSH_ASKPASS_REQUIRE: "never",
  GCM_INTERACTIVE: "never",
  GIT_LFS_SKIP_SMUDGE: "1",
  GIT_ALLOW_PROTOCOL: scheme === "https" ? "https:ssh" : scheme === "http" ? "http:https:ssh" : scheme,
  LC_ALL: "C",
  ...Option.match(login, {
    onNone: () => ({}),
    onSome: ({ password, user }) => ({
      GIT_CONFIG_COUNT: "2",
      GIT_CONFIG_KEY_0: `http.${originOf(address)}.extraHeader`,
      GIT_CONFIG_VALUE_0: `Authorization: Basic ${Encoding.encodeBase64(`${user}:${password}`)}`,
      // The login is for this server, and for none that it points to.
      GIT_CONFIG_KEY_1: "http.followRedirects",
      GIT_CONFIG_VALUE_1: "false"
    })
  })
})

const originOf = (address: string): string => /^[^/]*\/\/[^/]*\//.exec(address)?.[0] ?? address

/** What git says went wrong, on one line. */
const reasonIn = (stderr: string): string => {
  const lines = stderr.split("\n").filter((line) => line.trim() !== "")
  const line = lines.find((one) => /^(?:fatal|error): /.test(one)) ?? lines.at(-1) ?? "git did not say why"
  const reason = forAgentLine(withoutLogins(line.replace(/^(?:fatal|error): /, ""))).replace(/[.:]+$/, "")
  return /could not read (?:Username|Password)|Authentication failed/i.test(reason)
    ? "it wants a login, and the one it got, if any, is not right: give an address that holds a token, or one that ssh reaches"
    : reason.slice(0, 300)
}
