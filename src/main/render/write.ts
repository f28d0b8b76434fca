import type { Written } from "../../effects/writePage.ts"

/** The answer of a write, as the MCP tool and the CLI both say it. Source: reference.md 2.1. */
export const writtenText = ({ path, merged, cleaned }: Written): string =>
  [
    `Wrote ${path}`,
    ...(merged ? ["Merged with what somebody else wrote since you read the page; read it again to see both."] : []),
    ...(cleaned ? ["Invisible or control characters were dropped."] : [])
  ].join("\n")
