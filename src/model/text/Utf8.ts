import { Option } from "effect"

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** Exact text of UTF-8 bytes, a BOM included; None where the bytes are not UTF-8. */
export const decodeUtf8: (bytes: Uint8Array) => Option.Option<string> = Option.liftThrowable((bytes: Uint8Array) =>
  strict.decode(bytes)
)
