import { isBuiltin } from "node:module"
import { rolldown, type OutputChunk, type Plugin } from "rolldown"

/**
 * What a bundle loads when the first of its functions is called, and not at the start. A package becomes a CommonJS file,
 * which can be required in the middle of a synchronous function; what the bundle imports from it is a function that
 * requires it first. For functions and classes that are called, not extended.
 *
 * @param names Packages, and modules of Node, as the sources import them.
 * @param dir Where the bundle goes; the files go to `parsers` below it.
 */
export const onFirstUse = async (
  names: ReadonlyArray<string>,
  dir: string
): Promise<{ readonly plugin: Plugin; readonly chunks: ReadonlyArray<OutputChunk> }> => {
  const bundle = await rolldown({
    input: Object.fromEntries(names.filter((name) => !isBuiltin(name)).map((name) => [name, name])),
    platform: "node",
    resolve: { mainFields: ["module", "main"] },
    transform: { target: "node22" }
  })
  const { output } = await bundle.write({
    dir,
    format: "cjs",
    entryFileNames: "parsers/[name].cjs",
    chunkFileNames: "parsers/[name]-[hash].cjs",
    minify: true,
    comments: { legal: false }
  })
  await bundle.close()
  return {
    chunks: output.filter((file) => file.type === "chunk"),
    plugin: {
      name: "on-first-use",
      resolveId: (source) => (names.includes(source) ? `${prefix}${source}` : null),
      load: async (id) =>
        id.startsWith(prefix) ? { code: await stub(id.slice(prefix.length)), moduleSideEffects: false } : null
    }
  }
}

const prefix = "on-first-use:"

/** A module with the package's exports, each of which loads the package when it is called. Chunks lie in a folder beside `parsers`. */
const stub = async (name: string): Promise<string> => {
  const exports = Object.entries(await import(name)).filter(
    (entry): entry is [string, Function] =>
      typeof entry[1] === "function" && entry[0] !== "default" && entry[0] !== "module.exports"
  )
  const found = isBuiltin(name)
    ? `process.getBuiltinModule("${name}")`
    : `createRequire(import.meta.url)("../parsers/${name}.cjs")`
  return `
    import { createRequire } from "node:module"
    import process from "node:process"
    let all
    const load = () => (all ??= ${found})
    ${exports.map(([one, value]) => call(one, Object.keys(value))).join("\n")}
  `
}

const call = (name: string, properties: ReadonlyArray<string>): string =>
  [
    `export function ${name}(...args) { return new.target ? new (load().${name})(...args) : load().${name}(...args) }`,
    ...properties.map((key) => `Object.defineProperty(${name}, "${key}", { get: () => load().${name}.${key} })`)
  ].join("\n")
