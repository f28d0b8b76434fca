import { Option, Schema } from "effect"
import { PagePath } from "../model/page/PagePath.ts"
import { forAgent } from "../model/text/Sanitise.ts"
import { Sha, short } from "../model/page/Sha.ts"
import { byteLength } from "../model/text/Text.ts"
import { label } from "./Lines.ts"

/** One page that moved on the server: three versions and what each side did. */
export const ConflictedFile = Schema.Struct({
  path: PagePath,
  /** None: both sides created the page; `ancestorText` is empty. */
  ancestor: Schema.Option(Sha),
  /** None: deleted on the server; `serverText` is empty. */
  server: Schema.Option(Sha),
  /** Lines of `changeLines`, from the ancestor. */
  mineChanges: Schema.Array(Schema.String),
  serverChanges: Schema.Array(Schema.String),
  /** What both sides changed: `## Heading`, `preamble`, `frontmatter: key`, `page`. Empty: they can be merged as they are. */
  regions: Schema.Array(Schema.String),
  /** Whole pages, as on disk and on the wire. */
  ancestorText: Schema.String,
  mineText: Schema.String,
  serverText: Schema.String
})
export type ConflictedFile = typeof ConflictedFile.Type

/** What an answer may take (rule: below 80,000 bytes). */
const answerBytes = 78_000

/**
 * `<MERGE_REQUIRED>`: a push was rejected because pages moved on the server. Hands over a three-way merge for each.
 * Source: agent-directives, "`<MERGE_REQUIRED>`".
 *
 * - `files`: every conflicting page, in the order to show them
 *
 * `render(maxBytes)` counts all files and shows as many as fit, the first always whole; the others follow when the agent
 * pushes again.
 *
 * @example new MergeRequired({ files: [file] }).render()
 */
export class MergeRequired extends Schema.TaggedClass<MergeRequired>()("MergeRequired", {
  files: Schema.NonEmptyArray(ConflictedFile)
}) {
  render(maxBytes: number = answerBytes): string {
    const total = this.files.length
    const blocks = fittingBlocks(this.files, maxBytes)
    return [
      ...opening(total),
      ...blocks.flatMap((block) => [block, ""]),
      ...more(total - blocks.length),
      ...steps
    ].join("\n")
  }

  /** The files that `render` shows within as many bytes: what its reader has seen whole. */
  shown(maxBytes: number = answerBytes): ReadonlyArray<ConflictedFile> {
    return this.files.slice(0, fittingBlocks(this.files, maxBytes).length)
  }
}

/** The first files as text: the first one always, and more while the whole answer stays within `maxBytes`. */
const fittingBlocks = (files: ReadonlyArray<ConflictedFile>, maxBytes: number): ReadonlyArray<string> => {
  const total = files.length
  const blocks: Array<string> = []
  let fitting = 1
  let bytes = sizeOf([...opening(total), ...steps]) - 1
  for (const file of files) {
    const block = fileBlock(file, blocks.length + 1, total)
    blocks.push(block)
    bytes += sizeOf([block, ""])
    if (bytes > maxBytes) break
    if (bytes + sizeOf(more(total - blocks.length)) <= maxBytes) fitting = blocks.length
  }
  return blocks.slice(0, fitting)
}

/** Bytes of lines, with a line break after each. */
const sizeOf = (lines: ReadonlyArray<string>): number => lines.reduce((sum, line) => sum + byteLength(line) + 1, 0)

const opening = (total: number): ReadonlyArray<string> => [
  "<MERGE_REQUIRED>",
  `Push rejected: ${total} file(s) have moved on the server since your edit.`,
  "",
  "Reconcile each file below by writing a merged version that",
  "incorporates BOTH your changes AND the server's changes, then",
  "re-invoke ctx_push. The state has been updated so the re-push",
  "uses the server's current sha as the new parent.",
  ""
]

const more = (left: number): ReadonlyArray<string> =>
  left === 0 ? [] : [`${left} more file(s) follow when you push again.`, ""]

const steps: ReadonlyArray<string> = [
  "STEPS for the agent:",
  "  1. For each file above: write a merged version via",
  "     ctx_write_page(slug=..., type=..., body=<merged content>)",
  "     The merged page must preserve BOTH sides' intent. For prose",
  "     sections that conflict, synthesize — don't pick one.",
  "  2. Re-invoke ctx_push with the SAME filters. The local sync state",
  "     has been updated to point at the server's current sha for each",
  "     conflicting file, so the next push will not 409 unless someone",
  "     pushed again in the meantime.",
  "</MERGE_REQUIRED>"
]

const fileBlock = (file: ConflictedFile, index: number, total: number): string =>
  [
    `─── FILE ${index}/${total}: ${file.path} ───`,
    `  ancestor (both diverged from):  ${shaOr(file.ancestor, "(none — both sides created this page)")}`,
    `  server now:                     ${shaOr(file.server, "(none — deleted on the server)")}`,
    "",
    "  YOUR changes vs ancestor:",
    ...changeList(file.mineChanges),
    "",
    "  SERVER changes vs ancestor:",
    ...changeList(file.serverChanges),
    "",
    ...regionList(file.regions),
    "",
    "  --- ANCESTOR VERSION ---",
    ...version(file.ancestorText),
    "  --- YOUR VERSION (the one you tried to push) ---",
    ...version(file.mineText),
    "  --- SERVER VERSION ---",
    ...version(file.serverText)
  ].join("\n")

const shaOr = (sha: Option.Option<Sha>, absent: string): string =>
  Option.match(sha, { onNone: () => absent, onSome: short })

const changeList = (changes: ReadonlyArray<string>): ReadonlyArray<string> =>
  changes.length === 0
    ? ["    (no structured changes — content-level edits only)"]
    : changes.map((line) => `    ${label(line)}`)

const regionList = (regions: ReadonlyArray<string>): ReadonlyArray<string> =>
  regions.length === 0
    ? ["  (No section was modified by both sides — auto-mergeable in principle.)"]
    : [
        "  CONFLICTING regions (both sides changed):",
        ...regions.map((region) => `    ${label(region)} — synthesize both edits into one coherent version`)
      ]

/**
 * A whole page, indented. Nothing in it reaches column 0, where the block's own lines are, and a line that looks like
 * the head of a version stands one column further in than a real one.
 */
const version = (text: string): ReadonlyArray<string> => {
  const lines = forAgent(text).split(/\r\n|[\r\n\u2028\u2029]/)
  if (lines.at(-1) === "") lines.pop()
  return lines.map((line) => `  ${/^--- (ANCESTOR|YOUR|SERVER) VERSION/i.test(line) ? " " : ""}${line}`)
}
