import { Context, Effect, Layer } from "effect"

/** Random bytes that nobody can guess, for tokens and ids: a driver over the runtime's own generator. */
export class SecureRandom extends Context.Tag("ctx-mcp/SecureRandom")<
  SecureRandom,
  { readonly bytes: (length: number) => Effect.Effect<Uint8Array> }
>() {
  static readonly layer = Layer.succeed(SecureRandom, {
    bytes: (length) => Effect.sync(() => crypto.getRandomValues(new Uint8Array(length)))
  })
}
