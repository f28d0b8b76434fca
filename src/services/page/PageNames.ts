import { isPortable, isSlug } from "../../model/page/Slug.ts"

/**
 * What the name of something in a page folder says. `Foreign`: Markdown, but not under a page's name. `Other`: nothing that
 * anybody would take for a page (dot files, temporary files, `_pending`).
 */
export const classify = (name: string): "Page" | "Foreign" | "Other" => {
  if (name.startsWith(".") || !/\.md$/i.test(name)) return "Other"
  return name.endsWith(".md") && isSlug(name.slice(0, -".md".length)) ? "Page" : "Foreign"
}

/**
 * A page's name for a foreign one: accents and case variants of the ending go, other runs become `-`. It is none of
 * `taken` (folded names), so that following the advice never meets another file.
 */
export const suggestName = (name: string, taken: ReadonlySet<string>): string => {
  const plain = name
    .slice(0, -".md".length)
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/\.{2,}/g, ".")
    .slice(0, 180)
    .replace(/^[-.]+|[-.]+$/g, "")
  const stem = plain === "" ? "page" : isPortable(plain) ? plain : `page-${plain}`
  for (let n = 1; ; n++) {
    const candidate = n === 1 ? `${stem}.md` : `${stem}-${n}.md`
    if (!taken.has(candidate.toLowerCase())) return candidate
  }
}

export const foreignReason = (suggestion: string): string =>
  `not a page's name (letters, digits, '-', '_' and '.', ending in .md): rename it to ${suggestion}`

export const servedTwinReason = (other: string): string =>
  `${other} differs from it only by case, which is one page; this one is served: merge the two and remove ${other}`

export const hiddenTwinReason = (served: string): string =>
  `differs only by case from ${served}, which is served in its place: merge it into that and remove it, or rename it`
