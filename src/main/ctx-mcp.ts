import process from "node:process"
import { guardStdout } from "./cli/frame/stdoutGuard.ts"
import { defaultAddress } from "./mcp/http/address.ts"

guardStdout()

const usage = `Usage: ctx-mcp [--root DIR] [--http [--port N] [--host H]]

Serves this project's shared knowledge to one MCP client over stdin and stdout, or with --http to several over
Streamable HTTP. Without a project (no .contexo/ here or above) it sleeps until there is one.

  --root DIR   the project's folder (default: the nearest one above that holds .contexo/)
  --http       listen at http://HOST:PORT/mcp, and print that when ready
  --port N     default ${defaultAddress.port}; 0 picks a free one
  --host H     default ${defaultAddress.host}, which only this machine reaches; any other asks for a token, set in CONTEXO_HTTP_TOKEN
  --help       show this
  --version    show the version
`

/** The `ctx-mcp` command. Each way loads only what it needs. */
const run = async (argv: ReadonlyArray<string>): Promise<void> => {
  // The bin does not come here: it takes a shorter way, through `launch/hook.cjs`.
  if (argv[0] === "hook") return (await import("./hook/run.ts")).runHook(argv.slice(1))
  const { host, http, misuse, port, root, show } = read(argv)
  if (misuse !== undefined) {
    process.stderr.write(`ctx-mcp: ${misuse}. See 'ctx-mcp --help'.\n`)
    process.exitCode = 2
  } else if (show === "help") process.stdout.write(usage)
  else if (show === "version") process.stdout.write(`ctx-mcp ${(await import("./Build.ts")).version}\n`)
  else if (http) (await import("./mcp/http/main.ts")).main({ host, port }, root)
  else (await import("./mcp/stdio.ts")).main(root)
}

interface Options {
  root?: string
  http: boolean
  host: string
  port: number
  show?: "help" | "version"
  misuse?: string
}

const read = (argv: ReadonlyArray<string>): Options => {
  const options: Options = { http: false, ...defaultAddress }
  const words = argv.flatMap((word) => /^(--\w+)=(.*)$/s.exec(word)?.slice(1) ?? [word])
  for (let index = 0; index < words.length; index++) {
    const word = words[index]
    if (word === "--help" || word === "-h") return { ...options, show: "help" }
    if (word === "--version" || word === "-v") return { ...options, show: "version" }
    if (word === "--http") options.http = true
    else if (word === "--root" || word === "--host" || word === "--port") {
      const value = words[++index]
      if (value === undefined || value === "") return { ...options, misuse: `${word} needs ${needs[word]}` }
      if (word === "--root") options.root = value
      else if (word === "--host") options.host = value
      else if (/^\d{1,5}$/.test(value) && Number(value) <= 65_535) options.port = Number(value)
      else return { ...options, misuse: "--port needs a number from 0 to 65535" }
    } else return { ...options, misuse: `unexpected ${word}` }
  }
  const listens = words.includes("--port") || words.includes("--host")
  return listens && !options.http ? { ...options, misuse: "--port and --host go with --http" } : options
}

const needs = { "--root": "one folder", "--host": "one address", "--port": "a number" } as const

await run(process.argv.slice(2))
