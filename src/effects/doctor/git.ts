import { Command, Path } from "@effect/platform"
import { Effect, Option } from "effect"
import { planFile } from "../../services/agents/FilePlan.ts"
import { ignoreLine } from "../../services/agents/GitIgnore.ts"
import { Project } from "../../services/project/Project.ts"
import { repositoryAround } from "../../services/project/ProjectDiscovery.ts"
import { type Finding, ok, problem, warning } from "./Finding.ts"

/** What the repository around a project does with the file that holds the token. */
type Exposure = "no-repository" | "ignored" | "not-ignored" | "committed"

/** The edit that adds `.contexo/` to the project's `.gitignore`, worked out and not done. */
export const ignorePlan = (root: string) => planFile(root, ".gitignore", ignoreLine.wire)

/** Asks git where there is one. Without it, only the line that `ctx init` writes counts. */
export const exposure = Effect.gen(function* () {
  const { root } = yield* Project
  if (Option.isNone(yield* repositoryAround(root))) return "no-repository"
  const asked = yield* Effect.option(askGit)
  if (Option.isSome(asked)) return asked.value
  const { change } = yield* ignorePlan(root)
  return change === "present" ? "ignored" : "not-ignored"
}).pipe(Effect.map((found): Exposure => found))

const askGit = Effect.gen(function* () {
  const { contexo, root } = yield* Project
  const file = (yield* Path.Path).join(contexo, "credentials.json")
  const git = (...args: ReadonlyArray<string>) =>
    // A repository's own settings may name a program that git would run.
    Command.exitCode(Command.make("git", "-c", "core.fsmonitor=false", "-C", root, ...args, "--", file))
  if ((yield* git("ls-files", "--error-unmatch")) === 0) return "committed"
  return (yield* git("check-ignore", "--quiet", "--no-index")) === 0 ? "ignored" : "not-ignored"
})

/** Whether a commit could carry the token. */
export const gitFindings = (hasToken: boolean) =>
  exposure.pipe(
    Effect.map((found) => judge(found, hasToken)),
    Effect.catchAll(({ message }) => Effect.succeed([warning("gitignore", message)]))
  )

const judge = (found: Exposure, hasToken: boolean): ReadonlyArray<Finding> => {
  const path = "credentials.json"
  const fix = "'ctx doctor --fix' adds .contexo/ to .gitignore"
  switch (found) {
    case "no-repository":
      return []
    case "ignored":
      return [ok("gitignore", "git ignores the file that holds the token")]
    case "committed":
      return [
        problem("gitignore", "git tracks the file that holds the token", {
          path,
          fix: "take it out with 'git rm --cached .contexo/credentials.json', and replace the token: 'ctx login'"
        })
      ]
    case "not-ignored":
      return [
        hasToken
          ? problem("gitignore", "git does not ignore the file that holds the token", { path, fix })
          : warning("gitignore", "git does not ignore the file that a login writes the token to", { path, fix })
      ]
  }
}
