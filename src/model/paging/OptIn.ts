/**
 * The section that AGENTS.md gets, word for word.
 *
 * Source: context-paging.md, "Harness opt-in section (insert verbatim)".
 */
export const optInSection = [
  "## Context paging harness opt-in",
  "",
  "The context-paging skill keeps this project's exact context recoverable in `agents/context-paging/context.db` (gitignored). Harness capture is per-project opt-in and only runs for subscribed projects. Once per session, before substantive work, check in order and stop at the first that holds:",
  "",
  "- Already installed and activated: `scripts/cp_subscribed.py` from the context-paging skill exits 0 for this project. Skip silently.",
  '- Declined: `agents/tmp/context-paging.json` contains `{"harness_install": "declined"}`. Skip silently.',
  '- Otherwise ask the user: "Install context paging in your harness for this project? It captures the full conversation automatically and keeps paged context recoverable." On yes, install per the skill\'s harness wiring this session. On no, write `{"harness_install": "declined"}` to `agents/tmp/context-paging.json`. Any other answer defers to the next session; ask at most once per session.'
].join("\n")

/** What a person is asked, once a session. */
export const optInQuestion =
  "Install context paging in your harness for this project? It captures the full conversation automatically and keeps paged context recoverable."

/** AGENTS.md with the section at its end; as it is where it has the section. Line ends are the file's. */
export const withSection = (text: string): string => {
  const eol = text.includes("\r\n") ? "\r\n" : "\n"
  const section = optInSection.replaceAll("\n", eol)
  if (text.includes(section)) return text
  if (text === "") return `${section}${eol}`
  return `${text}${text.endsWith("\n") ? "" : eol}${eol}${section}${eol}`
}

/** AGENTS.md without the section, where it still reads as it did; undefined where nothing else is left. */
export const withoutSection = (text: string): string | undefined => {
  const eol = text.includes("\r\n") ? "\r\n" : "\n"
  const section = optInSection.replaceAll("\n", eol)
  const at = text.indexOf(section)
  if (at === -1) return text
  const before = text.slice(0, at).endsWith(eol + eol) ? text.slice(0, at - eol.length) : text.slice(0, at)
  const behind = text.slice(at + section.length)
  const rest = before + (behind.startsWith(eol) ? behind.slice(eol.length) : behind)
  return rest === "" ? undefined : rest
}

/** Lines that a project's `.gitignore` needs. */
export const ignoredLines = ["/agents/context-paging/", "/agents/tmp/"] as const

/** A `.gitignore` with both lines. */
export const withIgnored = (text: string): string => {
  const eol = text.includes("\r\n") ? "\r\n" : "\n"
  const there = new Set(text.split(/\r?\n/).map((line) => line.trim()))
  const missing = ignoredLines.filter((line) => !there.has(line))
  if (missing.length === 0) return text
  return `${text}${text === "" || text.endsWith("\n") ? "" : eol}${missing.join(eol)}${eol}`
}
