import { createHash } from "node:crypto"

/** SHA-256 of a text's UTF-8 bytes, hex: what tells whether a page changed. */
export const sha256 = (text: string | Uint8Array): string => createHash("sha256").update(text).digest("hex")
