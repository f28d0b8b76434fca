import { execute, type Finished, program } from "./cli.ts"
import type { Effect } from "effect"

/** Runs its arguments on a pseudo-terminal, types the first line of stdin once a question is on screen, and reports. */
const driver = `
import json, os, pty, select, sys
question, answer, command = sys.argv[1], sys.argv[2], sys.argv[3:]
child, terminal = pty.fork()
if child == 0:
    os.execvp(command[0], command)
screen, typed = b"", False
while True:
    try:
        chunk = os.read(terminal, 65536)
    except OSError:
        break
    if not chunk:
        break
    screen += chunk
    if not typed and question.encode() in screen:
        typed = True
        os.write(terminal, answer.encode() + b"\\r")
code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
sys.stdout.buffer.write(screen.replace(b"\\r\\n", b"\\n"))
sys.exit(code)
`

/** Runs `ctx` as a person at a terminal does: everything is on one screen, and a question gets its answer. */
export const atTerminal = (
  cwd: string,
  args: ReadonlyArray<string>,
  { answer, question }: { readonly question: string; readonly answer: string },
  env: Readonly<Record<string, string>> = {}
): Effect.Effect<Finished> =>
  execute(["python3", "-c", driver, question, answer, ...program("ctx"), ...args], {
    cwd,
    env: { TERM: "xterm", ...env }
  })
