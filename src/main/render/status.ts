import { Option } from "effect"
import type { LocalStatus, ServerStatus } from "../../effects/sync/status.ts"
import { forAgentLine } from "../../model/text/Sanitise.ts"
import { short8 } from "../../model/page/Sha.ts"

/** What `ctx status` says outside a project. */
export const notInitialised = {
  text: "Not initialized (run 'ctx init')",
  json: {
    initialized: false,
    root: null,
    server: null,
    repo: null,
    authenticated: false,
    auth_kind: null,
    local_pages: 0,
    last_pull: null,
    never_pushed: [],
    awaiting_merge: [],
    problems: [],
    pending_buffers: 0
  }
}

/**
 * The lines of `ctx status`: the specified ones, then what needs attention.
 *
 * @param server None: not asked.
 * @param elsewhere Other projects that somebody with an empty one may have meant.
 *
 * Source: ctx-status.md, CLI equivalent; design.md sections 5 and 12.
 */
export const statusText = (
  local: LocalStatus,
  server: Option.Option<ServerStatus>,
  elsewhere: ReadonlyArray<string>
): string =>
  [
    "Initialized: yes",
    `Server: ${or(local.server, "(none — run 'ctx remote set <url>')")}`,
    `Repo: ${or(local.repo, "(none — run 'ctx remote set-repo <id>')")}`,
    `Authenticated: ${Option.match(local.authKind, { onNone: () => "no", onSome: (kind) => `yes (${kind})` })}`,
    ...Option.toArray(local.user).map(({ email, name }) => `User: ${forAgentLine(name)} <${forAgentLine(email)}>`),
    `Local pages: ${local.localPages}`,
    `Last pull: ${Option.match(local.lastPull, { onNone: () => "(never)", onSome: short8 })}`,
    `Pages never pushed: ${local.neverPushed.length}`,
    ...Option.toArray(server).flatMap(serverLines),
    ...(local.awaitingMerge.length === 0 ? [] : [`Pages awaiting merge: ${local.awaitingMerge.length}`]),
    ...local.problems.map(({ path, reason }) => `Problem: ${forAgentLine(path)}: ${forAgentLine(reason)}`),
    ...elsewhere.map((folder) => `No pages here, but another project is at ${folder}`)
  ].join("\n")

const serverLines = (server: ServerStatus): ReadonlyArray<string> => {
  if (server._tag === "Unknown") return [`Pages drifted on server: unknown (${server.reason})`]
  const { behind, drifted } = server
  return [
    drifted.length === 0
      ? "Pages drifted on server: 0"
      : `Pages drifted on server (run \`ctx pull\` to refresh): ${drifted.length}`,
    ...drifted.map(({ local, path, server }) => `  ${path}   (local ${short8(local)} → server ${short8(server)})`),
    ...Option.toArray(behind)
      .filter((commits) => commits > 0)
      .map((commits) => `Behind server: ${commits} commit(s)`)
  ]
}

const or = (text: Option.Option<string>, placeholder: string): string =>
  Option.match(text, { onNone: () => placeholder, onSome: forAgentLine })

/** `ctx status --json`. Source: design.md section 11. */
export const statusJson = (local: LocalStatus, server: Option.Option<ServerStatus>) => ({
  initialized: true,
  root: local.root,
  server: Option.getOrNull(local.server),
  repo: Option.getOrNull(local.repo),
  authenticated: Option.isSome(local.authKind),
  auth_kind: Option.getOrNull(local.authKind),
  ...(Option.isSome(local.user) ? { user: local.user.value } : {}),
  local_pages: local.localPages,
  last_pull: Option.getOrNull(local.lastPull),
  never_pushed: local.neverPushed,
  awaiting_merge: local.awaitingMerge,
  ...(Option.isSome(server) ? serverJson(server.value) : {}),
  problems: local.problems,
  pending_buffers: local.pendingBuffers
})

const serverJson = (server: ServerStatus) =>
  server._tag === "Unknown"
    ? { server_unknown: server.reason }
    : { drifted: server.drifted, ...(Option.isSome(server.behind) ? { behind: server.behind.value } : {}) }
