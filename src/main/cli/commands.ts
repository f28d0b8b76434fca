import type { CliCommand } from "./frame/CliCommand.ts"
import { pagingCommands } from "./paging/commands.ts"

/** A command as the overview knows it. */
export interface Listed {
  readonly about: string
  /** Loads nothing but what this command needs. */
  readonly load: () => Promise<CliCommand>
}

/** Every command, in the order in which the overview shows them. */
export const commands: ReadonlyMap<string, Listed> = new Map<string, Listed>([
  [
    "init",
    { about: "set up .contexo/ here, and wire up the agents", load: async () => (await import("./init.ts")).init }
  ],
  [
    "login",
    { about: "store a token for a server, checked against it", load: async () => (await import("./login.ts")).login }
  ],
  ["auth login", { about: "the same as login", load: async () => (await import("./login.ts")).authLogin }],
  [
    "auth status",
    { about: "who you are to which server", load: async () => (await import("./authStatus.ts")).authStatus }
  ],
  ["remote set", { about: "set the server's URL", load: async () => (await import("./remoteSet.ts")).remoteSet }],
  ["remote get", { about: "show server and repository", load: async () => (await import("./remoteGet.ts")).remoteGet }],
  [
    "remote set-repo",
    { about: "set the repository", load: async () => (await import("./remoteSetRepo.ts")).remoteSetRepo }
  ],
  [
    "repo create",
    { about: "create a repository on the server", load: async () => (await import("./repoCreate.ts")).repoCreate }
  ],
  ["repo list", { about: "list your repositories", load: async () => (await import("./repoList.ts")).repoList }],
  [
    "status",
    {
      about: "what this project is wired up to, and what is not shared yet",
      load: async () => (await import("./status.ts")).status
    }
  ],
  ["push", { about: "share the pages you changed", load: async () => (await import("./push.ts")).push }],
  ["pull", { about: "fetch the team's changes; local edits stay", load: async () => (await import("./pull.ts")).pull }],
  ["log", { about: "the repository's latest commits", load: async () => (await import("./log.ts")).log }],
  ["write", { about: "write a page from a file or stdin", load: async () => (await import("./write.ts")).write }],
  ["read", { about: "print a page", load: async () => (await import("./read.ts")).read }],
  ["search", { about: "find pages by what they say", load: async () => (await import("./search.ts")).search }],
  [
    "export",
    { about: "write the pages somewhere else", load: async () => (await import("./export.ts")).exportCommand }
  ],
  ["import", { about: "bring an archive's pages back", load: async () => (await import("./import.ts")).importCommand }],
  ["diff", { about: "what changed in a page, section by section", load: async () => (await import("./diff.ts")).diff }],
  ["history", { about: "the commits that touched a page", load: async () => (await import("./history.ts")).history }],
  [
    "evolution",
    { about: "what each commit changed in a page", load: async () => (await import("./evolution.ts")).evolution }
  ],
  ["mv", { about: "rename a page, and mend what names it", load: async () => (await import("./mv.ts")).mv }],
  ["rm", { about: "delete a page for the whole team", load: async () => (await import("./rm.ts")).rm }],
  ["revert", { about: "put an older version of a page back", load: async () => (await import("./revert.ts")).revert }],
  [
    "purge",
    { about: "erase a page and its history from the server", load: async () => (await import("./purge.ts")).purge }
  ],
  [
    "doctor",
    { about: "look for what is wrong, and fix what is safe", load: async () => (await import("./doctor.ts")).doctor }
  ],
  [
    "capture status",
    {
      about: "the sessions that were captured and not distilled",
      load: async () => (await import("./captureStatus.ts")).captureStatus
    }
  ],
  [
    "capture show",
    {
      about: "what was captured of a session",
      load: async () => (await import("./captureShow.ts")).captureShow
    }
  ],
  [
    "migrate",
    {
      about: "find documents that could become pages, and pick some",
      load: async () => (await import("./migrate.ts")).migrate
    }
  ],
  ["mcp", { about: "serve this project to an agent over stdio", load: async () => (await import("./mcp.ts")).mcp }],
  [
    "mcp install",
    { about: "wire agents up to the MCP server", load: async () => (await import("./wiring.ts")).mcpInstall }
  ],
  [
    "mcp uninstall",
    {
      about: "take the MCP server out of agents' settings",
      load: async () => (await import("./wiring.ts")).mcpUninstall
    }
  ],
  ["mcp status", { about: "which agents are wired up", load: async () => (await import("./wiring.ts")).mcpStatus }],
  [
    "mcp guide",
    { about: "what goes into each agent's settings", load: async () => (await import("./mcpGuide.ts")).mcpGuide }
  ],
  [
    "hooks install",
    { about: "record the turns of agents in .contexo/", load: async () => (await import("./wiring.ts")).hooksInstall }
  ],
  [
    "hooks uninstall",
    { about: "stop recording turns", load: async () => (await import("./wiring.ts")).hooksUninstall }
  ],
  [
    "hooks status",
    { about: "which agents' turns are recorded", load: async () => (await import("./wiring.ts")).hooksStatus }
  ],
  ...pagingCommands,
  ["detach", { about: "undo what init did to this folder", load: async () => (await import("./detach.ts")).detach }],
  ["serve", { about: "run a sync server", load: async () => (await import("./serve.ts")).serve }],
  ["version", { about: "show what runs", load: async () => (await import("./version.ts")).version }]
])
