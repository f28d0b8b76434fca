import { forAgentLine } from "../../model/text/Sanitise.ts"
import { short8 } from "../../model/page/Sha.ts"
import type { PushBatch, PushOutcome } from "../../effects/sync/Push.ts"

/** A finished push: what would travel, and what came of it. */
export interface FinishedPush extends PushBatch {
  readonly outcome: PushOutcome
}

/** The sentence or directive of a push, as the MCP tool and the CLI both say it. Source: reference.md 2.2. */
export const pushText = (push: FinishedPush): string => {
  const { outcome } = push
  switch (outcome._tag) {
    case "NothingToPush":
      return [
        outcome.reason === "no-match"
          ? "Nothing to push (no pages match filters)"
          : "Nothing to push (everything is already on the server)",
        ...notes(push)
      ].join("\n")
    case "Pushed":
      return [
        `Pushed ${outcome.pages.length} page(s); HEAD=${short8(outcome.head)}`,
        ...outcome.merged.map((path) => `merged: ${path}`),
        ...notes(push)
      ].join("\n")
    // A directive is the whole answer: nothing is said beside it.
    case "MergeRequired":
    case "PushPaused":
      return outcome.directive.render()
    case "Rejected":
      return [
        "Push rejected: these pages have moved on the server since your edit. Nothing was overwritten.",
        ...outcome.conflicts.map(({ page }) => `conflict: ${page.path}`)
      ].join("\n")
    case "Refused":
      return [
        "Push refused: these pages hold what looks like secrets. Nothing was sent. Take them out, and change those that are real.",
        ...outcome.findings.map(
          ({ line, path, rule }) => `secret: ${forAgentLine(path)}:${line} (${forAgentLine(rule)})`
        ),
        "Only where a person has looked at it and it is none: --allow-secret RULE (ctx_push: allow_secrets) lets a rule's findings through."
      ].join("\n")
  }
}

const notes = ({ gone, problems, unsafe }: PushBatch): ReadonlyArray<string> => [
  ...gone.map((path) => `gone here: ${path} ('ctx rm' deletes it on the server, 'ctx pull --full' brings it back)`),
  ...unsafe.map((path) => `note: ${path} holds invisible or control characters; agents never see them`),
  ...problems.map(({ path, reason }) => `not pushed: ${forAgentLine(path)} (${forAgentLine(reason)})`)
]

/** `ctx push --json` (design.md section 11). */
export const pushJson = ({ outcome }: FinishedPush) => {
  const shape = { outcome: names[outcome._tag], pushed: pushedOf(outcome), conflicts: conflictsOf(outcome) }
  switch (outcome._tag) {
    case "Pushed":
      return { ...shape, head: outcome.head }
    case "MergeRequired":
    case "PushPaused":
      return { ...shape, directive: outcome.directive.render() }
    case "Refused":
      return { ...shape, secrets: outcome.findings }
    default:
      return shape
  }
}

const names = {
  Pushed: "pushed",
  NothingToPush: "nothing",
  PushPaused: "paused",
  MergeRequired: "merge_required",
  Rejected: "merge_required",
  Refused: "refused"
} as const satisfies Record<PushOutcome["_tag"], string>

const pushedOf = (outcome: PushOutcome) =>
  outcome._tag === "Pushed" ? outcome.pages : outcome._tag === "Rejected" ? outcome.landed : []

const conflictsOf = (outcome: PushOutcome) => {
  if (outcome._tag !== "MergeRequired" && outcome._tag !== "Rejected") return []
  const regions =
    outcome._tag === "MergeRequired"
      ? new Map(outcome.directive.files.map((file) => [file.path, file.regions]))
      : new Map()
  return outcome.conflicts.map(({ ancestor, current, page }) => ({
    path: page.path,
    current_sha: current._tag === "Some" ? current.value.sha : "",
    expected_parent_sha: ancestor._tag === "Some" ? ancestor.value.sha : "",
    sections: (regions.get(page.path) ?? []).map(forAgentLine)
  }))
}
