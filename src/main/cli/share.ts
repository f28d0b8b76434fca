import { Options } from "@effect/cli"
import { Effect, Schema } from "effect"
import { share } from "../../effects/sync/remote.ts"

export const shareOption = Options.boolean("share").pipe(
  Options.withDescription("write server and repository to contexo.json, for teammates; never a token")
)

/** Only one of the two is known: there is nothing to share yet. The setting itself was made. */
export class NotShared extends Schema.TaggedError<NotShared>()("NotShared", { missing: Schema.String }) {
  override get message() {
    return this.missing === "repo"
      ? "contexo.json was not written: no repository is set yet (run 'ctx remote set-repo <id> --share')"
      : "contexo.json was not written: no server is set yet (run 'ctx remote set <url> --share')"
  }
}

/** The line that says what was shared; none unless asked. */
export const shareIf = (asked: boolean) =>
  asked
    ? share().pipe(
        Effect.map(({ path }) => [`Wrote ${path}: commit it, and a teammate's 'ctx init' finds the same repository`]),
        Effect.catchTag("NotConfigured", ({ missing }) => new NotShared({ missing: missing[0] ?? "server" }))
      )
    : Effect.succeed([])
