import { Effect, Layer } from "effect"
import { PagingDatabase } from "../../src/services/paging/PagingDatabase.ts"
import { PagingPlace } from "../../src/services/paging/PagingPlace.ts"
import { freshPlace, type Place, platform, withEnvironment } from "./place.ts"

/** The paging database of a place. */
export const pagingIn = (place: Place) =>
  PagingDatabase.layer.pipe(Layer.provideMerge(PagingPlace.layer(place.folder)), Layer.provide(platform))

/** Runs with a fresh database, and nothing of the developer's own variables but those given. */
export const withPaging = <A, E, R>(
  body: (place: Place) => Effect.Effect<A, E, R>,
  variables: Readonly<Record<string, string>> = {}
) =>
  Effect.gen(function* () {
    const place = yield* freshPlace
    return yield* body(place).pipe(
      Effect.provide(pagingIn(place)),
      withEnvironment({ HOME: place.at("home"), ...variables })
    )
  }).pipe(Effect.provide(platform))
