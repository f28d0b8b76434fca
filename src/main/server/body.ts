import { HttpServerRequest } from "@effect/platform"
import { NodeHttpServerRequest } from "@effect/platform-node"
import { Effect, Option, ParseResult, Schema } from "effect"
import { excerpt } from "../../effects/server/pagePath.ts"
import { jsonExcess } from "../../model/text/JsonBounds.ts"
import { decodeUtf8 } from "../../model/text/Utf8.ts"
import { maxBodyBytes } from "../../services/sync/SyncApi.ts"

/** The body is larger than the server takes. */
export class BodyTooLarge extends Schema.TaggedError<BodyTooLarge>()("BodyTooLarge", { limit: Schema.Int }) {
  override get message() {
    return `the request body is larger than ${this.limit} bytes; send fewer pages at once`
  }
}

/** The body is not what the route takes. */
export class MalformedBody extends Schema.TaggedError<MalformedBody>()("MalformedBody", { reason: Schema.String }) {
  override get message() {
    return `malformed request body: ${this.reason}`
  }
}

/** The body is encoded. Nothing is unpacked here, so that a few bytes cannot become gigabytes. */
export class EncodedBody extends Schema.TaggedError<EncodedBody>()("EncodedBody", { encoding: Schema.String }) {
  override get message() {
    return `this server takes no Content-Encoding (${this.encoding}); send the JSON as it is`
  }
}

export type BodyFailure = BodyTooLarge | EncodedBody | MalformedBody

/** The JSON body of the request, by a schema. No body counts as `{}`. */
export const jsonBody = <A, I>(
  schema: Schema.Schema<A, I>
): Effect.Effect<A, BodyFailure, HttpServerRequest.HttpServerRequest> =>
  Effect.gen(function* () {
    const text = decodeUtf8(yield* bodyBytes)
    if (Option.isNone(text)) return yield* new MalformedBody({ reason: "it is not UTF-8" })
    const excess = jsonExcess(text.value, maxPieces)
    if (excess !== undefined) return yield* new MalformedBody({ reason: excess })
    // JSON.parse itself takes no BOM.
    const json = yield* Effect.try({
      try: (): unknown => JSON.parse(text.value.trim() === "" ? "{}" : text.value),
      catch: () => new MalformedBody({ reason: "it is not JSON" })
    })
    return yield* Effect.mapError(Schema.decodeUnknown(schema)(json), (error) => firstIssue(error, text.value.length))
  })

/** Arrays and objects in a body. A page of a push is one, and takes forty bytes at least. */
const maxPieces = 250_000

/** To name the issue, the whole of what was there instead is written out first. */
const mostToWriteOut = 1024 * 1024

const firstIssue = (error: ParseResult.ParseError, size: number): MalformedBody => {
  if (size > mostToWriteOut) return new MalformedBody({ reason: "it is not what this route takes" })
  const [issue] = ParseResult.ArrayFormatter.formatErrorSync(error)
  const where = issue?.path.map(String).join(".") ?? ""
  return new MalformedBody({ reason: excerpt(`${where === "" ? "" : `${where}: `}${issue?.message ?? "unexpected"}`) })
}

/** The bytes of the body. Counting stops at the limit, whatever Content-Length says; the rest is let pass unread. */
const bodyBytes = Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
  Effect.async<Uint8Array, BodyFailure>((resume) => {
    const source = NodeHttpServerRequest.toIncomingMessage(request)
    const encoding = source.headers["content-encoding"] ?? "identity"
    if (encoding.trim().toLowerCase() !== "identity") {
      source.resume()
      return resume(Effect.fail(new EncodedBody({ encoding: excerpt(encoding) })))
    }
    const tooLarge = Effect.fail(new BodyTooLarge({ limit: maxBodyBytes }))
    if (Number(source.headers["content-length"]) > maxBodyBytes) {
      source.resume()
      return resume(tooLarge)
    }
    const chunks: Array<Buffer> = []
    let size = 0
    const onData = (chunk: Buffer): void => {
      size += chunk.length
      if (size <= maxBodyBytes) {
        chunks.push(chunk)
        return
      }
      stop()
      source.resume()
      resume(tooLarge)
    }
    const onEnd = (): void => {
      stop()
      resume(Effect.succeed(Buffer.concat(chunks)))
    }
    const onBroken = (): void => {
      stop()
      resume(Effect.fail(new MalformedBody({ reason: "it ended early" })))
    }
    const stop = (): void => {
      source.off("data", onData).off("end", onEnd).off("close", onBroken)
    }
    // Without this, a reset connection would be an uncaught error.
    source.on("error", () => undefined)
    source.on("data", onData).on("end", onEnd).on("close", onBroken)
    return Effect.sync(stop)
  })
)
