import type { Row } from "./PagingDatabaseDriver.ts"

/** A column of text; empty where it is null. */
export const textIn = (row: Row, name: string): string => {
  const value = row[name]
  return typeof value === "string" ? value : ""
}

/** A column of whole numbers; 0 where it is null. */
export const numberIn = (row: Row, name: string): number => Number(row[name] ?? 0)

/** The same, undefined where it is null. */
export const maybeNumberIn = (row: Row, name: string): number | undefined => {
  const value = row[name]
  return typeof value === "number" || typeof value === "bigint" ? Number(value) : undefined
}

/** A column of bytes. */
export const bytesIn = (row: Row, name: string): Uint8Array | null => {
  const value = row[name]
  return value instanceof Uint8Array ? value : null
}
