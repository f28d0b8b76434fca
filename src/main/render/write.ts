import type { Written } from "../../effects/page/writePage.ts"
import { type Reference, referenceName } from "../../model/page/Links.ts"

/** The answer of a write, as the MCP tool and the CLI both say it. Source: reference.md 2.1. */
export const writtenText = ({ path, merged, cleaned, dead }: Written): string =>
  [
    `Wrote ${path}`,
    ...(merged ? ["Merged with what somebody else wrote since you read the page; read it again to see both."] : []),
    ...(cleaned ? ["Invisible or control characters were dropped."] : []),
    ...(dead.length === 0 ? [] : [`No page here yet: ${deadText(dead)}. Write it, pull it, or mend the reference.`])
  ].join("\n")

/** So many dead references are named. */
const shown = 10

/** `retry-rule (related), [[billing]]`. */
export const deadText = (dead: ReadonlyArray<Reference>): string =>
  [
    ...dead.slice(0, shown).map(referenceName),
    ...(dead.length > shown ? [`and ${dead.length - shown} more`] : [])
  ].join(", ")
