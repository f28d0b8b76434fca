import { Schema } from "effect"

/** A page that differs from an existing one by case only, here or on the server. Nothing was written or sent. */
export class CaseTwin extends Schema.TaggedError<CaseTwin>()("CaseTwin", {
  path: Schema.String,
  existing: Schema.String
}) {
  override get message() {
    return `${this.path} and the existing ${this.existing} would be one file on macOS and Windows. Use the existing slug, or choose another.`
  }
}
