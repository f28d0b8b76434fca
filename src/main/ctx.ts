import process from "node:process"
import { guardStdout } from "./cli/frame/stdoutGuard.ts"

guardStdout()

/** `ctx mcp`, with or without `--root`: the server's own start, which loads nothing of the command line. */
const asMcp = (argv: ReadonlyArray<string>): { readonly root: string | undefined } | undefined => {
  const words: Array<string> = []
  let root: string | undefined
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index] ?? ""
    if (word === "--root") root = argv[++index] ?? ""
    else if (word.startsWith("--root=")) root = word.slice("--root=".length)
    else words.push(word)
  }
  return words.length === 1 && words[0] === "mcp" && root !== "" ? { root } : undefined
}

const argv = process.argv.slice(2)
const mcp = asMcp(argv)
// The bin does not come here for `capture turn`: it takes a shorter way, as for `ctx-mcp hook`.
if (argv[0] === "capture" && argv[1] === "turn") (await import("./hook/run.ts")).runHook(argv.slice(2))
else if (mcp === undefined) (await import("./cli/frame/main.ts")).main(argv)
else (await import("./mcp/stdio.ts")).main(mcp.root)
