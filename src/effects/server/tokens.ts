import { Clock, Effect, Encoding } from "effect"
import { gitMessage } from "../../model/page/GitObject.ts"
import { sha256 } from "../../model/text/Hash.ts"
import { CurrentUser } from "../../services/sync/CurrentUser.ts"
import { SecureRandom } from "../../services/server/SecureRandom.ts"
import { type NewToken, ServerStore } from "../../services/server/ServerStore.ts"
import { InvalidRequest, NotFound } from "./errors.ts"

const maxLabel = 100

/** An id that two servers would not give twice: 16 random bytes, hex. */
export const newId = Effect.flatMap(SecureRandom, (random) => Effect.map(random.bytes(16), Encoding.encodeHex))

/** A fresh token. The text is shown once and not kept; the store gets its hash. */
export const mint = Effect.fn("server.mint")(function* (label: string) {
  const text = `ctxp_${Encoding.encodeBase64Url(yield* (yield* SecureRandom).bytes(24))}`
  const token: NewToken = {
    id: yield* newId,
    hash: sha256(text),
    label,
    createdAt: yield* Clock.currentTimeMillis
  }
  return { text, token }
})

/**
 * Makes a personal access token of the current user.
 *
 * @param label What it is for, one line of up to 100 characters.
 */
export const createToken = Effect.fn("server.createToken")(function* (label: string) {
  const line = gitMessage(label)
  if (line.length > maxLabel) {
    return yield* new InvalidRequest({
      reason: `a label has at most ${maxLabel} characters, this one has ${line.length}`
    })
  }
  const user = yield* CurrentUser
  const { text, token } = yield* mint(line)
  const pat = yield* (yield* ServerStore).addToken(user.id, token)
  return { pat, token: text }
})

/** The current user's tokens, oldest first, without their texts. */
export const listTokens = Effect.flatMap(CurrentUser, (user) =>
  Effect.flatMap(ServerStore, (store) => store.tokens(user.id))
).pipe(Effect.withSpan("server.listTokens"))

/** Revokes one of the current user's tokens. */
export const deleteToken = Effect.fn("server.deleteToken")(function* (id: string) {
  const user = yield* CurrentUser
  const removed = yield* (yield* ServerStore).removeToken(user.id, id)
  if (!removed) return yield* new NotFound({ what: "token" })
})
