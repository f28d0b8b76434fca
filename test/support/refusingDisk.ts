import { Effect } from "effect"
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import {
  chmodSync,
  chownSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync
} from "node:fs"
import { dirname, join } from "node:path"
import { execute, type Finished, program } from "./cli.ts"

/**
 * Disks that refuse. Where this user may mount (a namespace of its own, gone with the process), they are real: a full
 * tmpfs, a read-only bind. Where not, the nearest that needs no privilege: a limit on the size of files, and modes.
 */
const mounts = (() => {
  const probe = 'mount -t tmpfs -o size=64k tmpfs "$0" && mount -o remount,ro "$0"'
  for (const way of [
    ["unshare", "-m"],
    ["unshare", "-rm"]
  ] as const) {
    const [file, flag] = way
    if (spawnSync(file, [flag, "sh", "-c", probe, "/mnt"]).status === 0) return way
  }
  return undefined
})()

/** The errno of a full disk, as it can be had here. */
export const full = mounts === undefined ? "EFBIG" : "ENOSPC"
/** The errno of a read-only disk, as it can be had here. */
export const readOnly = mounts === undefined ? "EACCES" : "EROFS"

const nobody = 65_534
const isRoot = process.getuid?.() === 0

/** Gives root's privileges up before anything of the program is loaded; without them, modes hold. */
const dropping = `process.setgroups([]); process.setgid(${nobody}); process.setuid(${nobody})\n`

/**
 * A command line of `ctx` that modes apply to. Root's own folders may be closed to others, so the program is copied to
 * where anybody may read it.
 */
const lowered = (folder: string): readonly [string, ...ReadonlyArray<string>] => {
  const [file, bin = ""] = program("ctx")
  if (!isRoot) return [file, bin]
  const copy = join(folder, "program")
  cpSync(dirname(bin), copy, { recursive: true })
  writeFileSync(join(copy, "drop.cjs"), dropping)
  return [file, "--require", join(copy, "drop.cjs"), join(copy, "ctx.cjs")]
}

/** Lets a user without privileges own everything below a folder, and reach it. */
const hand = (folder: string, path: string): void => {
  if (!isRoot) return
  chmodSync(folder, 0o755)
  const walk = (one: string): void => {
    chownSync(one, nobody, nobody)
    if (lstatSync(one).isDirectory()) for (const name of readdirSync(one)) walk(join(one, name))
  }
  walk(path)
}

export interface Refused extends Finished {
  /** What of the project is different afterwards: `changed`, `new` or `gone`, and the path. */
  readonly differences: ReadonlyArray<string>
}

type Ctx = (args: ReadonlyArray<string>, stdin?: string) => Effect.Effect<Refused>

/** Runs `ctx` in a project where no file may grow beyond 4 KiB. */
export const onCrampedDisk =
  (project: string): Ctx =>
  (args, stdin = "") => {
    const before = snapshot(project)
    const command = ["sh", "-c", 'ulimit -f 8 && exec "$0" "$@"', ...program("ctx"), ...args] as const
    return finished(execute(command, { cwd: project, stdin }), before, project)
  }

/** Runs `ctx` in a copy of a project on a disk that is full to the last byte. */
export const onFullDisk =
  (folder: string, project: string): Ctx =>
  (args, stdin = "") => {
    if (mounts === undefined) return onCrampedDisk(project)(args, stdin)
    const home = mkdtempSync(join(folder, "disk-"))
    const [copy, after] = [join(home, "full"), join(home, "after")]
    for (const made of [copy, after]) mkdirSync(made)
    const script = [
      'mount -t tmpfs -o size=4m,mode=755 tmpfs "$0" && cp -a "$1/." "$0" && cd "$0" || exit 99',
      'after="$2"; shift 2',
      "dd if=/dev/zero of=ballast bs=1k 2>/dev/null",
      '"$@"; code=$?',
      'rm ballast; cp -a "$0/." "$after"; exit $code'
    ].join("\n")
    const command = [...mounts, "sh", "-c", script, copy, project, after, ...program("ctx"), ...args] as const
    return finished(execute(command, { cwd: folder, stdin }), snapshot(project), after)
  }

/** Runs `ctx` in a project that cannot be written. */
export const onReadOnlyDisk =
  (folder: string, project: string): Ctx =>
  (args, stdin = "") => {
    const before = snapshot(project)
    if (mounts === undefined) {
      spawnSync("chmod", ["-R", "a-w", project])
      return withoutPrivileges(folder, project)(args, stdin)
    }
    const script = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && cd "$0" && exec "$@"'
    const command = [...mounts, "sh", "-c", script, project, ...program("ctx"), ...args] as const
    return finished(execute(command, { cwd: folder, stdin }), before, project)
  }

/** Runs `ctx` as a user whom modes hold back; the project is that user's. */
export const withoutPrivileges = (folder: string, project: string): Ctx => {
  const ctx = lowered(folder)
  hand(folder, project)
  return (args, stdin = "") => {
    const before = snapshot(project)
    return finished(execute([...ctx, ...args], { cwd: project, stdin }), before, project)
  }
}

const finished = (run: Effect.Effect<Finished>, before: Snapshot, after: string): Effect.Effect<Refused> =>
  Effect.map(run, (ended) => ({ ...ended, differences: differences(before, snapshot(after)) }))

type Snapshot = ReadonlyMap<string, string>

/** Hashes of all files, but for what is only a help to the next run: the page cache, and the lock, which never holds anything. */
const snapshot = (project: string): Snapshot =>
  new Map(
    readdirSync(project, { recursive: true, encoding: "utf8" })
      .filter((path) => !/(^|\/)(\.cache|lock\.db)/.test(path) && lstatSync(join(project, path)).isFile())
      .map((path) => [
        path,
        createHash("sha256")
          .update(readFileSync(join(project, path)))
          .digest("hex")
      ])
  )

const differences = (before: Snapshot, after: Snapshot): ReadonlyArray<string> => [
  ...[...before].flatMap(([path, hash]) => {
    const now = after.get(path)
    return now === hash ? [] : [`${now === undefined ? "gone" : "changed"} ${path}`]
  }),
  ...[...after.keys()].filter((path) => !before.has(path)).map((path) => `new ${path}`)
]
