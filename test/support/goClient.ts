import { Effect } from "effect"
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"

/** Where a clone of the public client syncs to. */
export interface GoRemote {
  readonly url: string
  readonly token: string
  readonly repo: string
}

/** What that client does, in its own formats: reference.md sections 1, 2.2, 2.3 and 8. */
export interface GoClient {
  readonly root: string
  /** Absolute path of a page's file. */
  readonly file: (path: string) => string
  readonly text: (path: string) => string
  readonly state: () => GoState
  readonly write: (path: string, body: string) => void
  /** Every local page, changed or not, each with the sha that it knows; conflicts move that sha on. */
  readonly push: Effect.Effect<GoAnswer>
  /** Overwrites whatever is here. */
  readonly pull: Effect.Effect<void>
}

export interface GoState {
  last_pull_sha?: string
  page_shas: Record<string, string>
}

export interface GoAnswer {
  readonly new_head: string
  readonly pushed?: ReadonlyArray<{ readonly path: string; readonly sha: string }> | null
  readonly conflicts?: ReadonlyArray<{ readonly path: string; readonly current_sha: string }> | null
}

const folders = ["wiki/concepts", "wiki/entities", "wiki/analyses", "raw/sessions"] as const
const types = { "wiki/concepts": "concept", "wiki/entities": "entity", "wiki/analyses": "analysis" } as const

/** A `.contexo/` as `ctx init` and `ctx login` of the public client leave it: no bases, no lock, plain overwrites. */
export const goClient = (root: string, remote: GoRemote): GoClient => {
  const file = (path: string) => join(root, ".contexo", path)
  const put = (path: string, text: string, mode = 0o644) => {
    mkdirSync(dirname(file(path)), { recursive: true })
    writeFileSync(file(path), text, { mode })
  }
  const text = (path: string) => readFileSync(file(path), "utf8")
  const pages = () =>
    folders.flatMap((folder) =>
      readdirSync(file(folder))
        .filter((name) => name.endsWith(".md"))
        .map((name) => `${folder}/${name}`)
    )
  const state = (): GoState => JSON.parse(text(".sync/state.json"))
  const save = (next: GoState) => put(".sync/state.json", JSON.stringify(next, undefined, 2))
  const call = (method: string, path: string, body?: object) =>
    Effect.promise(async () => {
      const response = await fetch(`${remote.url}/v1/repos/${remote.repo}/${path}`, {
        method,
        headers: { authorization: `Bearer ${remote.token}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      })
      return JSON.parse(await response.text())
    })

  for (const folder of folders) mkdirSync(file(folder), { recursive: true })
  put("config.json", JSON.stringify({ version: 1, repo_id: remote.repo, server_url: remote.url }, undefined, 2))
  // What the old versions of that client stored; `token` came later.
  const credentials = {
    api_key: remote.token,
    server_url: remote.url,
    user_name: "Gopher",
    user_email: "go@example.com"
  }
  put("credentials.json", JSON.stringify(credentials, undefined, 2), 0o600)
  put("index.md", "# Knowledge Index\n\nAn index of another program.\n\n## Concepts\n\n(none yet)\n")
  put("tags.md", "# Tags\n\n(none yet)\n")
  save({ page_shas: {} })

  return {
    root,
    file,
    text,
    state,
    write: (path, body) => put(path, goPage(path, body)),
    push: Effect.gen(function* () {
      const known = state()
      const answer: GoAnswer = yield* call("POST", "sync/push", {
        author_name: "Gopher",
        author_email: "go@example.com",
        message: "ctx push",
        files: pages().map((path) => ({ path, content: text(path), parent_sha: known.page_shas[path] ?? "" }))
      })
      for (const { path, sha } of answer.pushed ?? []) known.page_shas[path] = sha
      for (const { current_sha, path } of answer.conflicts ?? []) known.page_shas[path] = current_sha
      save(known)
      return answer
    }),
    pull: Effect.gen(function* () {
      const known = state()
      const answer: {
        readonly new_head: string
        readonly files: ReadonlyArray<{ readonly path: string; readonly content: string; readonly sha: string }> | null
      } = yield* call("GET", `sync/pull?since=${known.last_pull_sha ?? ""}`)
      for (const { content, path, sha } of answer.files ?? []) {
        put(path, content)
        known.page_shas[path] = sha
      }
      if ((answer.files ?? []).length > 0) save({ ...known, last_pull_sha: answer.new_head })
    })
  }
}

/** A page as that client serialises it: nanoseconds in plain YAML timestamps, `parent_sha` always there and empty. */
export const goPage = (path: string, body: string): string => {
  const folder = folders.find((one) => path.startsWith(`${one}/`)) ?? "raw/sessions"
  const type = folder === "raw/sessions" ? "source" : types[folder]
  return [
    "---",
    "schema: ctx.page.v1",
    `slug: ${path.slice(folder.length + 1, -".md".length)}`,
    `type: ${type}`,
    "author: Gopher",
    "agent: claude",
    "created: 2026-06-13T09:15:27.123456789Z",
    "updated: 2026-06-13T09:15:27.987654321Z",
    'parent_sha: ""',
    "tags:",
    "  - billing",
    "reasoning_summary: Because of the retries.",
    "---",
    body
  ].join("\n")
}
