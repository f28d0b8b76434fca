import { type FileSystem, Path } from "@effect/platform"
import { Effect, Either, Layer, Option, Redacted, Schema } from "effect"
import { parseServerUrl } from "../../model/sync/ServerUrl.ts"
import { kindOf, parseToken } from "../../model/sync/Token.ts"
import { type Credential, Credentials } from "./Credentials.ts"
import { environment } from "../runtime/Environment.ts"
import { CorruptFile } from "../files/FileFailure.ts"
import { patchJsonFile, readJsonFile } from "../files/JsonFile.ts"
import { Project } from "../project/Project.ts"
import { ProjectLock } from "../project/ProjectLock.ts"

/** `.contexo/credentials.json` of reference 1.3. Keys that we do not know are kept when it is written. */
const CredentialsFile = Schema.Struct({
  token: Schema.optional(Schema.String),
  /** What old clients wrote; read where there is no `token`. */
  api_key: Schema.optional(Schema.String),
  server_url: Schema.optional(Schema.String),
  user_name: Schema.optional(Schema.String),
  user_email: Schema.optional(Schema.String)
})

/** Owner only, whatever the umask and whatever mode the file had. */
const privately = { mode: 0o600 } as const

/** The environment's pair, else the file, read anew on every call. */
export const layer: Layer.Layer<Credentials, never, FileSystem.FileSystem | Path.Path | Project | ProjectLock> =
  Layer.effect(
    Credentials,
    Effect.gen(function* () {
      const disk = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
      const lock = yield* ProjectLock
      const file = (yield* Path.Path).join((yield* Project).contexo, "credentials.json")
      const load = readJsonFile(file, CredentialsFile)

      const fromFile = Effect.gen(function* () {
        const stored = yield* load
        if (Option.isNone(stored)) return Option.none<Credential>()
        const { api_key, server_url, token, user_email, user_name } = stored.value.known
        const text = token?.trim() ? token : (api_key ?? "")
        if (text.trim() === "") return Option.none<Credential>()
        const bearer = yield* bearerFrom(file, text)
        const serverUrl = server_url ?? ""
        return Option.some({ bearer, kind: kindOf(bearer), serverUrl, userName: user_name, userEmail: user_email })
      })

      return {
        read: fromEnvironment.pipe(
          Effect.flatMap((pair) => (Option.isSome(pair) ? Effect.succeed(pair) : fromFile)),
          Effect.provide(disk),
          Effect.withSpan("Credentials.read")
        ),
        write: Effect.fn("Credentials.write")(function* ({ bearer, serverUrl, userEmail, userName }) {
          yield* lock.run(
            Effect.gen(function* () {
              const before = Option.map(yield* load, ({ object }) => object)
              const patch = {
                token: Redacted.value(bearer),
                // The key that the token replaces, and the number of the user it belonged to.
                api_key: "",
                user_id: "",
                user_name: userName ?? "",
                user_email: userEmail ?? ""
              }
              const written = { ...Option.getOrElse(before, () => ({})), server_url: serverUrl }
              yield* patchJsonFile(file, Option.some(written), patch, privately)
            }).pipe(Effect.provide(disk))
          )
        })
      }
    })
  )

/** `CONTEXO_TOKEN` counts only together with `CONTEXO_SERVER`: a token is bound to a server, not to whatever a folder names. */
const fromEnvironment: Effect.Effect<Option.Option<Credential>, CorruptFile> = Effect.gen(function* () {
  const token = yield* environment("CONTEXO_TOKEN")
  const server = yield* environment("CONTEXO_SERVER")
  if (Option.isNone(token) || Option.isNone(server)) return Option.none()
  const serverUrl = yield* Either.mapLeft(
    parseServerUrl(server.value),
    ({ reason }) => new CorruptFile({ path: "CONTEXO_SERVER", reason })
  )
  const bearer = yield* bearerFrom("CONTEXO_TOKEN", token.value)
  return Option.some({ bearer, kind: kindOf(bearer), serverUrl })
})

const bearerFrom = (where: string, text: string) =>
  Either.mapLeft(
    parseToken(text),
    ({ reason }) => new CorruptFile({ path: where, reason: `as a token, ${reason}; run 'ctx login'` })
  )
