import { Effect, Layer } from "effect"
import { hasUnsafe, removeUnsafe } from "../../model/text/Sanitise.ts"
import type { SecretFinding } from "../../model/secrets/SecretScan.ts"
import { loadSecrets } from "../../services/secrets/SecretScanDriver.ts"
import { Push, PushOutcome, type PushRequest } from "../sync/Push.ts"

/**
 * Keeps secrets from travelling: looks at every page of the batch and at the commit's message, and where one holds what
 * looks like a secret, sends nothing and answers `Refused`, with page, line and rule, and never the secret.
 *
 * `options.allowSecrets` names rules that a person has looked at and allows.
 *
 * @example const pipeline = Merge.layer.pipe(Layer.provide(SecretGuard.layer), Layer.provide(Push.layer))
 *
 * Source: design.md rule 7; public case A42.
 */
export const layer = Layer.effect(
  Push,
  Effect.map(Push, (below) => ({
    run: Effect.fn("Push.secretGuard")(function* (request: PushRequest) {
      const secretsIn = yield* secretFinder
      const { allowSecrets = [], message = "" } = request.options
      const look = (path: string, text: string) => secretsIn(text, allowSecrets).map((finding) => named(path, finding))
      const findings = [...request.batch.flatMap(({ path, text }) => look(path, text)), ...look("message", message)]
      if (findings.length > 0) return PushOutcome.Refused({ findings: distinct(findings) })
      return yield* below.run(request)
    })
  }))
)

/** Finds the secrets in a text that travels. Some may be found twice. */
export const secretFinder = Effect.map(
  loadSecrets,
  ({ findSecrets }) =>
    (text: string, allowed: ReadonlyArray<string> = []): ReadonlyArray<SecretFinding> =>
      readings(text).flatMap((one) => findSecrets(one, allowed))
)

/** A text as it is, and, where it holds characters that others drop when they read it (rule 6), as they will have it. */
const readings = (text: string): ReadonlyArray<string> => (hasUnsafe(text) ? [text, removeUnsafe(text)] : [text])

interface Named {
  readonly path: string
  readonly line: number
  readonly rule: string
}

const named = (path: string, { line, rule }: SecretFinding): Named => ({ path, line, rule })

/** One of each page, line and rule. */
const distinct = (findings: ReadonlyArray<Named>): ReadonlyArray<Named> => [
  ...new Map(findings.map((one) => [`${one.path}:${one.line}:${one.rule}`, one])).values()
]
