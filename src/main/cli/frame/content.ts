import { FileSystem } from "@effect/platform"
import { Effect, Schema } from "effect"
import { Stdio } from "./Stdio.ts"

/** The content that was named can not be taken. Nothing was written. */
export class UnreadableInput extends Schema.TaggedError<UnreadableInput>()("UnreadableInput", {
  file: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    return `${this.file}: ${this.reason}. Nothing was written.`
  }
}

/** The bytes of a file, or of standard input where it is `-`. A file beyond `most` is not read at all. */
export const bytesOf = (file: string, most = Number.POSITIVE_INFINITY) =>
  Effect.gen(function* () {
    if (file === "-") return yield* (yield* Stdio).input
    const fs = yield* FileSystem.FileSystem
    const info = yield* fs.stat(file)
    if (Number(info.size) > most) {
      return yield* new UnreadableInput({ file, reason: `larger than ${most / 1024 / 1024} MiB` })
    }
    return yield* fs.readFile(file)
  }).pipe(
    Effect.catchTags({
      SystemError: ({ reason }) =>
        new UnreadableInput({
          file,
          reason: reason === "NotFound" ? "there is no such file" : `cannot be read (${reason})`
        }),
      BadArgument: ({ message }) => new UnreadableInput({ file, reason: message })
    })
  )
