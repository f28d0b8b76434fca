import { Schema } from "effect"

/** The disk refused: which path, which step, and why (EACCES, ENOSPC, EROFS, ...). Nothing was changed there. */
export class FileFailure extends Schema.TaggedError<FileFailure>()("FileFailure", {
  path: Schema.String,
  operation: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    return `${this.path}: cannot ${this.operation} (${this.reason}). Nothing was changed there; check permissions and free space.`
  }
}

/** A file of ours holds something else than what we write there. It is left as it is. */
export class CorruptFile extends Schema.TaggedError<CorruptFile>()("CorruptFile", {
  path: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    return `${this.path} is not readable (${this.reason}). It was left as it is: repair it, or move it away.`
  }
}

/** A path inside `.contexo/` leads out of it through a symbolic link. */
export class LeavesStore extends Schema.TaggedError<LeavesStore>()("LeavesStore", {
  path: Schema.String,
  target: Schema.String
}) {
  override get message() {
    return `${this.path} leads out of the project (to ${this.target}). Nothing was read or written; replace the symbolic link.`
  }
}
