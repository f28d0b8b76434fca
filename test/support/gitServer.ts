import { Effect } from "effect"
import { execFileSync, spawn } from "node:child_process"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { join } from "node:path"

/** Git's own server over HTTP, for the repositories below a folder, to whoever knows `user:password`. */
export const gitServer = Effect.fn("gitServer")(function* (folder: string, login: string) {
  const server = createServer((request, response) => {
    if (request.headers.authorization === `Basic ${btoa(login)}`) return answer(folder, request, response)
    response.writeHead(401, { "WWW-Authenticate": 'Basic realm="git"' }).end()
  })
  yield* Effect.acquireRelease(
    Effect.async<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
    () => Effect.sync(() => server.closeAllConnections())
  )
  yield* Effect.addFinalizer(() => Effect.sync(() => server.close()))
  const at = server.address()
  return { port: typeof at === "object" && at !== null ? at.port : 0 }
})

const backend = () => join(execFileSync("git", ["--exec-path"]).toString().trim(), "git-http-backend")

/** A CGI program's answer: lines of headers, an empty one, and the body. */
const answer = (folder: string, request: IncomingMessage, response: ServerResponse): void => {
  const [path = "", query = ""] = (request.url ?? "").split("?")
  const child = spawn(backend(), [], {
    env: {
      PATH: process.env["PATH"],
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: "1",
      REQUEST_METHOD: request.method,
      PATH_INFO: path,
      QUERY_STRING: query,
      CONTENT_TYPE: request.headers["content-type"] ?? "",
      GIT_PROTOCOL: String(request.headers["git-protocol"] ?? ""),
      REMOTE_USER: "ada",
      HTTP_CONTENT_ENCODING: request.headers["content-encoding"] ?? ""
    }
  })
  request.pipe(child.stdin)
  const chunks: Array<Buffer> = []
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk))
  child.on("close", () => {
    const whole = Buffer.concat(chunks)
    const end = whole.indexOf("\r\n\r\n")
    for (const line of whole.subarray(0, end).toString().split("\r\n")) {
      const [name = "", value = ""] = line.split(": ")
      if (name === "Status") response.statusCode = Number.parseInt(value)
      else response.setHeader(name, value)
    }
    response.end(whole.subarray(end + 4))
  })
}
