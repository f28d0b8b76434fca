import type { ServerResponse } from "node:http"
import { createHash } from "node:crypto"
import { Effect } from "effect"
import { answerJson, type Received, stubServer } from "./stubServer.ts"

/** A version of a page on the public server; no text: it was removed. */
interface Version {
  readonly sha: string
  readonly text: string | undefined
}

/**
 * A stand-in for the public Contexo server with its habits (reference.md sections 8 and 10.2): one commit a file, so that a
 * push may succeed in part; 500 for a `since` that it does not know; a removed page comes as an empty file, in the list of
 * pages too; no `/health` of ours, no push ids, no `deleted`.
 */
export interface PublicServer {
  readonly url: string
  readonly received: ReadonlyArray<Received>
  /** Somebody else's push. */
  readonly commit: (path: string, text: string) => string
  readonly remove: (path: string) => string
  readonly head: (path: string) => Version | undefined
  /** As if restored from a backup that is so many commits older. */
  readonly forget: (commits: number) => void
}

export const publicServer = Effect.gen(function* () {
  let log: ReadonlyArray<Version & { readonly path: string }> = []
  let serial = 0
  const land = (path: string, text: string | undefined) => {
    const sha = createHash("sha1").update(`${serial++} ${path} ${text}`).digest("hex")
    log = [...log, { path, sha, text }]
    return sha
  }
  const head = (path: string) => log.findLast((version) => version.path === path)
  const newHead = () => log.at(-1)?.sha ?? ""
  const paths = () => [...new Set(log.map(({ path }) => path))].toSorted()

  const push = (response: ServerResponse, body: string) => {
    const pushed: Array<object> = []
    const conflicts: Array<object> = []
    for (const { content, parent_sha: parent, path } of JSON.parse(body).files) {
      const current = head(path)
      if (parent && current !== undefined && current.sha !== parent) {
        conflicts.push({
          path,
          current_sha: current.sha,
          current_content: base64(current.text),
          expected_parent_sha: parent,
          ancestor_content: base64(log.find(({ sha }) => sha === parent)?.text)
        })
        continue
      }
      // Nothing to commit: it answers its head, whatever commit that is.
      pushed.push({ path, sha: current?.text === content ? newHead() : land(path, content) })
    }
    answerJson(response, conflicts.length > 0 ? 409 : 200, {
      new_head: newHead(),
      ...(pushed.length > 0 ? { pushed } : {}),
      ...(conflicts.length > 0 ? { conflicts } : {})
    })
  }

  const pull = (response: ServerResponse, since: string) => {
    const at = log.findIndex(({ sha }) => sha === since)
    if (since !== "" && at === -1) {
      answerJson(response, 500, { error: "git diff: exit status 128" })
      return
    }
    const changed = [...new Set(log.slice(at + 1).map(({ path }) => path))].toSorted()
    const files = changed.map((path) => ({ path, content: head(path)?.text ?? "", sha: head(path)?.sha ?? "" }))
    answerJson(response, 200, { new_head: newHead(), files: files.length === 0 ? null : files })
  }

  const info = (sha: string) => ({
    sha,
    author: "Gopher",
    email: "go@example.com",
    time: "2026-06-13T09:15:27Z",
    message: "ctx push"
  })

  const stub = yield* stubServer((response, { body, url }) => {
    const { pathname, searchParams } = new URL(url, "http://127.0.0.1")
    const [, route = ""] = /^\/v1\/repos\/acme\/(.*)$/.exec(pathname) ?? []
    if (route === "sync/push") push(response, body)
    else if (route === "sync/pull") pull(response, searchParams.get("since") ?? "")
    else if (route === "timeline") answerJson(response, 200, { commits: log.toReversed().map(({ sha }) => info(sha)) })
    else if (route === "pages") {
      answerJson(response, 200, { pages: paths().map((path) => ({ path, ...info(head(path)?.sha ?? "") })) })
    } else if (route.startsWith("pages/")) {
      const page = head(decodeURIComponent(route.slice("pages/".length)))
      if (page === undefined) {
        answerJson(response, 404, { error: "page not found" })
        return
      }
      response.writeHead(200, { "content-type": "text/markdown; charset=utf-8", "x-page-sha": page.sha })
      response.end(page.text ?? "")
    } else {
      answerJson(response, 404, { error: "not found" })
    }
  })
  return {
    url: stub.url,
    received: stub.received,
    commit: land,
    remove: (path) => land(path, undefined),
    head,
    forget: (commits) => {
      log = log.slice(0, log.length - commits)
    }
  } satisfies PublicServer
})

const base64 = (text: string | undefined) => (text === undefined ? undefined : Buffer.from(text).toString("base64"))
