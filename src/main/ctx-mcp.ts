import process from "node:process"
import { guardStdout } from "./cli/frame/stdoutGuard.ts"

guardStdout()

const usage = `Usage: ctx-mcp [--root DIR]

Serves this project's shared knowledge to one MCP client over stdin and stdout.
Without a project (no .contexo/ here or above) it sleeps until there is one.

  --root DIR   the project's folder (default: the nearest one above that holds .contexo/)
  --help       show this
  --version    show the version
`

/** The `ctx-mcp` command. Each way loads only what it needs. */
const run = async (argv: ReadonlyArray<string>): Promise<void> => {
  const [first, second, ...rest] = argv
  switch (first) {
    // The capture hooks of agents: never in their way, whatever this version knows of them.
    case "hook":
      return
    case "--help":
    case "-h":
      process.stdout.write(usage)
      return
    case "--version":
    case "-v":
      process.stdout.write(`ctx-mcp ${(await import("./Build.ts")).version}\n`)
      return
    case undefined:
      return (await import("./mcp/stdio.ts")).main()
    case "--root":
      if (second === undefined || second === "" || rest.length > 0) return misused("--root needs one folder")
      return (await import("./mcp/stdio.ts")).main(second)
    default:
      if (/^--root=./.test(first) && second === undefined) return (await import("./mcp/stdio.ts")).main(first.slice(7))
      return misused(`unexpected ${first}`)
  }
}

const misused = (reason: string): void => {
  process.stderr.write(`ctx-mcp: ${reason}. See 'ctx-mcp --help'.\n`)
  process.exitCode = 2
}

await run(process.argv.slice(2))
