import { Either, Schema } from "effect"
import { RepoId } from "../../services/sync/SyncApi.ts"

/** The text is no repository's id. */
export class InvalidRepoId extends Schema.TaggedError<InvalidRepoId>()("InvalidRepoId", { id: Schema.String }) {
  override get message() {
    return `invalid repository id ${JSON.stringify(this.id)}: it is 1 to 64 letters, digits, '-' and '_', led by a letter or digit`
  }
}

/** The repository id that a person gave. */
export const parseRepoId = (text: string): Either.Either<RepoId, InvalidRepoId> =>
  Either.mapLeft(Schema.decodeEither(RepoId)(text), () => new InvalidRepoId({ id: text }))
