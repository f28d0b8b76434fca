import { FileSystem } from "@effect/platform"
import { type PlatformError, SystemError, type SystemErrorReason } from "@effect/platform/Error"
import { Data, type Duration, Effect, Exit, ExecutionStrategy, Layer, Scope } from "effect"
import type { Activity } from "./FaultyClock.ts"
import type { FaultPlan } from "./FaultPlan.ts"
import type { Life } from "./Life.ts"

/** What can happen to a call of the file system, those of open files included. */
export type FileFault = Data.TaggedEnum<{
  /** Refused, and nothing was done. */
  Fail: { readonly errno: string }
  /** A write leaves this part of its bytes behind (0 to 1), and fails; any other call only fails. */
  Tear: { readonly errno: string; readonly part: number }
  /** Done, after a while on the Clock. */
  Delay: { readonly by: Duration.Duration }
  /** The process is killed before the call. */
  Crash: {}
}>
export const FileFault = Data.taggedEnum<FileFault>()

export interface Surroundings {
  readonly plan: FaultPlan<FileFault>
  readonly life: Life
  readonly activity: Activity
  /** False: `sync` of a file passes without asking the disk, which no test here pulls the plug of. */
  readonly sync: boolean
}

/** The file system below, whose every call passes, fails, tears, waits or kills, as the plan says. */
export const layer = (surroundings: Surroundings): Layer.Layer<FileSystem.FileSystem, never, FileSystem.FileSystem> =>
  Layer.effect(
    FileSystem.FileSystem,
    Effect.map(FileSystem.FileSystem, (below) => over(below, surroundings))
  )

type Under<A, R = never> = Effect.Effect<A, PlatformError, R>

const over = (below: FileSystem.FileSystem, surroundings: Surroundings) => {
  const { activity, life, plan, sync } = surroundings

  const call = <A, R>(
    operation: string,
    target: string,
    pass: Under<A, R>,
    tear: (part: number) => Under<unknown, R> = () => Effect.void
  ): Under<A, R> => {
    const done = activity.during(pass)
    const refuse = (errno: string) => Effect.fail(systemError(operation, target, errno))
    return life.guard(
      Effect.suspend((): Under<A, R> => {
        const fault = plan.next({ operation, target })
        if (fault === undefined) return done
        return FileFault.$match(fault, {
          Fail: ({ errno }) => refuse(errno),
          Tear: ({ errno, part }) => Effect.zipRight(activity.during(tear(part)), refuse(errno)),
          Delay: ({ by }): Under<A, R> => Effect.zipRight(Effect.sleep(by), done),
          Crash: () => life.crash
        })
      })
    )
  }

  const openFile = (path: string, file: FileSystem.File): FileSystem.File => ({
    [FileSystem.FileTypeId]: FileSystem.FileTypeId,
    fd: file.fd,
    stat: call("file.stat", path, file.stat),
    seek: (offset, from) => file.seek(offset, from),
    sync: call("file.sync", path, sync ? file.sync : Effect.void),
    read: (buffer) => call("file.read", path, file.read(buffer)),
    readAlloc: (size) => call("file.read", path, file.readAlloc(size)),
    truncate: (length) => call("file.truncate", path, file.truncate(length)),
    write: (bytes) => call("file.write", path, file.write(bytes), (part) => file.writeAll(begin(bytes, part))),
    writeAll: (bytes) => call("file.write", path, file.writeAll(bytes), (part) => file.writeAll(begin(bytes, part)))
  })

  /** The descriptor is the life's: a crash leaves nobody to close it but the system. */
  const open = (path: string, options?: FileSystem.OpenFileOptions) =>
    Effect.gen(function* () {
      const own = yield* Scope.fork(life.scope, ExecutionStrategy.sequential)
      yield* Effect.addFinalizer((exit) => life.guard(activity.during(Scope.close(own, exit))))
      return yield* call("open", path, Scope.extend(below.open(path, options), own)).pipe(
        Effect.tapError(() => Scope.close(own, Exit.void))
      )
    })

  return FileSystem.make({
    access: (path, options) => call("access", path, below.access(path, options)),
    chmod: (path, mode) => call("chmod", path, below.chmod(path, mode)),
    chown: (path, uid, gid) => call("chown", path, below.chown(path, uid, gid)),
    copy: (from, to, options) => call("copy", to, below.copy(from, to, options)),
    copyFile: (from, to) => call("copyFile", to, below.copyFile(from, to)),
    link: (from, to) => call("link", to, below.link(from, to)),
    makeDirectory: (path, options) => call("makeDirectory", path, below.makeDirectory(path, options)),
    makeTempDirectory: (options) => call("makeTempDirectory", "", below.makeTempDirectory(options)),
    makeTempDirectoryScoped: (options) => call("makeTempDirectory", "", below.makeTempDirectoryScoped(options)),
    makeTempFile: (options) => call("makeTempFile", "", below.makeTempFile(options)),
    makeTempFileScoped: (options) => call("makeTempFile", "", below.makeTempFileScoped(options)),
    open: (path, options) => Effect.map(open(path, options), (file) => openFile(path, file)),
    readDirectory: (path, options) => call("readDirectory", path, below.readDirectory(path, options)),
    readFile: (path) => call("readFile", path, below.readFile(path)),
    readLink: (path) => call("readLink", path, below.readLink(path)),
    realPath: (path) => call("realPath", path, below.realPath(path)),
    remove: (path, options) => call("remove", path, below.remove(path, options)),
    rename: (from, to) => call("rename", to, below.rename(from, to)),
    stat: (path) => call("stat", path, below.stat(path)),
    symlink: (from, to) => call("symlink", to, below.symlink(from, to)),
    truncate: (path, length) => call("truncate", path, below.truncate(path, length)),
    utimes: (path, atime, mtime) => call("utimes", path, below.utimes(path, atime, mtime)),
    watch: (path, options) => below.watch(path, options),
    writeFile: (path, bytes, options) =>
      call("writeFile", path, below.writeFile(path, bytes, options), (part) =>
        below.writeFile(path, begin(bytes, part), options)
      )
  })
}

const begin = (bytes: Uint8Array, part: number): Uint8Array => bytes.subarray(0, Math.floor(bytes.length * part))

const reasons: Readonly<Record<string, SystemErrorReason>> = {
  EACCES: "PermissionDenied",
  EPERM: "PermissionDenied",
  ENOENT: "NotFound",
  EBUSY: "Busy"
}

const systemError = (method: string, path: string, errno: string): SystemError =>
  new SystemError({
    reason: reasons[errno] ?? "Unknown",
    module: "FileSystem",
    method,
    pathOrDescriptor: path,
    cause: Object.assign(new Error(`${errno}: a fault of the test, ${method} '${path}'`), { code: errno })
  })
