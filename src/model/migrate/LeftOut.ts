/** Folders of what a project is built from, or shows, rather than knows. */
const folders: ReadonlySet<string> = new Set([
  ".git",
  ".contexo",
  ".next",
  ".obsidian",
  ".trash",
  ".turbo",
  ".venv",
  ".worktrees",
  "__fixtures__",
  "__pycache__",
  "__snapshots__",
  "__tests__",
  "bower_components",
  "coverage",
  "fixtures",
  "graphify-out",
  "i18n",
  "locales",
  "node_modules",
  "site-packages",
  "snapshots",
  "template",
  "templates",
  "test",
  "testdata",
  "tests",
  "third-party",
  "third_party",
  "translations",
  "vendor",
  "vendored",
  "venv",
  "versioned_docs",
  "versions"
])

/** Where builds put what they make. Below a documentation they are chapters: `docs/build/linux.md`. */
const built: ReadonlySet<string> = new Set(["build", "dist", "out", "target"])

/** Whether a folder of that name holds no knowledge of this project: vendored, tests' own, templates, copies. */
export const isForeignFolder = (name: string): boolean => folders.has(name.toLowerCase())

/** Whether a file lies in such a folder, or in one that a build makes. @param path In lower case. */
export const isForeign = (path: string): boolean => {
  const parents = path.split("/").slice(0, -1)
  const chapters = parents[0] === "docs" || parents[0] === "doc"
  return parents.some((name) => folders.has(name) || (!chapters && built.has(name)))
}

/** Languages that documents are translated to, besides English. */
const languages =
  "ar|bg|bn|ca|cn|cs|da|de|el|es|fa|fi|fr|he|hi|hr|hu|id|it|ja|jp|ko|kr|lt|ms|nb|nl|no|pl|pt|ro|ru|sk|sl|sr|sv|ta|th|tr|tw|uk|ur|uz|vi|zh"
const region = "(?:[-_](?:[a-z]{2}|hans|hant))?"
const marked = new RegExp(`^(.+)[._-](?:${languages})${region}(\\.[a-z]+)$`)
const folderName = new RegExp(`^(?:${languages})${region}$`)

/**
 * Whether a file is a translation: it is called like another one in its folder, with a language added, or lies in a folder
 * named for a language beside one for English or for another language.
 *
 * @param path In lower case.
 * @param has Whether there is a file at a path in lower case.
 * @param languageFolders How many folders that are named for a language lie in a folder.
 */
export const isTranslation = (
  path: string,
  has: (path: string) => boolean,
  languageFolders: (parent: string) => number
): boolean => {
  const cut = path.lastIndexOf("/") + 1
  const name = marked.exec(path.slice(cut))
  if (name !== null && has(`${path.slice(0, cut)}${name[1]}${name[2]}`)) return true
  const parts = path.split("/").slice(0, -1)
  return parts.some((part, index) => isLanguageFolder(part) && languageFolders(parts.slice(0, index).join("/")) > 1)
}

/** Whether a folder is named for a language other than English. */
const isLanguageFolder = (name: string): boolean => folderName.test(name)

/** Whether a folder is named for a language. */
export const isAnyLanguageFolder = (name: string): boolean =>
  /^en(?:[-_](?:us|gb))?$/.test(name) || isLanguageFolder(name)

/** Whether a file is a form to fill in. @param path In lower case. */
export const isTemplate = (path: string): boolean =>
  /^(?:(?:adr|madr|rfc|issue|pr|pull[-_]request|decision|design|proposal|\d+)[-_.])?template\.[a-z]+$/.test(
    path.slice(path.lastIndexOf("/") + 1)
  )

/** Folders of a documentation's older versions: `docs/v2/` beside newer ones. */
export const versionOf = (path: string): { readonly parent: string; readonly version: number } | undefined => {
  const found = /^((?:.*\/)?docs?)\/v(\d+)(?:\.\d+)*\//.exec(path)
  return found?.[1] === undefined ? undefined : { parent: found[1], version: Number(found[2]) }
}
