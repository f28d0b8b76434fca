import { Data, Effect, Schema } from "effect"
import { PushAnswer } from "../../../src/services/sync/SyncApi.ts"
import { type Broken, keep, pathOf } from "./books.ts"
import { check, newBody, pageText, repo, type World } from "./world.ts"

/** No whole answer came. Whether the push landed is not known. */
class Unheard extends Data.TaggedError("Unheard") {}

/** One push of one page over HTTP, by a teammate. */
const send = (world: World, slug: string, text: string, pushId: string) =>
  Effect.tryPromise({
    try: async (signal) => {
      const response = await fetch(`${world.server.url}/v1/repos/${repo}/sync/push`, {
        method: "POST",
        signal,
        headers: { authorization: `Bearer ${world.token}`, "content-type": "application/json" },
        body: JSON.stringify({
          push_id: pushId,
          files: [{ path: pathOf(slug), content: text, parent_sha: world.mates.get(slug)?.sha ?? "" }]
        })
      })
      return { status: response.status, text: await response.text() }
    },
    catch: () => new Unheard()
  })

/**
 * A teammate pushes a new version of a page, and tries again under the same push id until an answer comes. It must be the
 * answer of a push that landed, whatever the server went through meanwhile.
 */
export const matePushes = Effect.fnUntraced(function* (world: World, slug: string) {
  const text = pageText(slug, newBody(world), "ben")
  const pushId = `mate-push-${world.serial++}`
  const answer = yield* send(world, slug, text, pushId).pipe(
    Effect.retry({ times: 1_500, while: () => Effect.as(Effect.sleep("20 millis"), true) }),
    Effect.catchTag("Unheard", () => Effect.dieMessage("the server did not come back"))
  )
  yield* check(() => keep("a repeated push is answered as the one that landed", answer.status === 200, answer))
  const { pushed } = yield* Effect.orDie(Schema.decode(Schema.parseJson(PushAnswer))(answer.text))
  const sha = pushed?.[0]?.sha ?? ""
  world.mates.set(slug, { sha, text })
  world.acknowledged.push({ path: pathOf(slug), sha, text })
})

/** Teammates, each at its own page, until they are told to stop. */
export const busyMates = (
  world: World,
  slugs: ReadonlyArray<string>,
  goOn: () => boolean
): Effect.Effect<void, Broken> =>
  Effect.forEach(
    slugs,
    (slug) => Effect.whileLoop({ while: goOn, body: () => matePushes(world, slug), step: () => undefined }),
    { concurrency: "unbounded", discard: true }
  )
