import manifest from "../../package.json" with { type: "json" }

/** Put in by the bundler: short commit id and day, or empty. */
declare const CTX_REVISION: string | undefined

/** The package's version. */
export const version: string = manifest.version

const revision = typeof CTX_REVISION === "string" && CTX_REVISION !== "" ? CTX_REVISION : "from source"

/** `ctx 0.1.0 (1a2b3c4, 2026-11-30)`. */
export const buildLine = `ctx ${version} (${revision})`
