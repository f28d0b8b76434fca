import { Context, Layer } from "effect"
import { redact } from "../../model/secrets/Secrets.ts"

/** Takes secrets out of text before it reaches a buffer (design.md rule 7). */
export class Redactor extends Context.Tag("ctx-mcp/Redactor")<
  Redactor,
  {
    /** The text with a stable marker in the place of each secret. Give it whole texts: half a secret is not known. */
    readonly redact: (text: string) => string
  }
>() {
  static readonly layer = Layer.succeed(Redactor, { redact })
}
