import type { Listed } from "../commands.ts"

/** The operations of context paging, as the overview of `ctx paging` shows them. */
export const pagingCommands: ReadonlyArray<readonly [string, Listed]> = [
  [
    "paging session-start",
    {
      about: "get or make a session, and mark it active",
      load: async () => (await import("./sessions.ts")).sessionStart
    }
  ],
  [
    "paging session-end",
    { about: "mark a session as ended", load: async () => (await import("./sessions.ts")).sessionEnd }
  ],
  [
    "paging session-list",
    { about: "the sessions, with what each holds", load: async () => (await import("./sessions.ts")).sessionList }
  ],
  [
    "paging session-delete",
    {
      about: "delete a session with all that it holds",
      load: async () => (await import("./sessions.ts")).sessionDelete
    }
  ],
  ["paging topic", { about: "get or make a topic", load: async () => (await import("./pages.ts")).topicCommand }],
  [
    "paging topic-list",
    { about: "the topics, with their pages", load: async () => (await import("./pages.ts")).topicList }
  ],
  [
    "paging page-out",
    { about: "keep exact content as a page", load: async () => (await import("./pages.ts")).pageOutCommand }
  ],
  ["paging page-in", { about: "reload pages", load: async () => (await import("./pages.ts")).pageInCommand }],
  [
    "paging page-update",
    { about: "replace a page's content", load: async () => (await import("./pages.ts")).pageUpdate }
  ],
  ["paging page-delete", { about: "delete a page", load: async () => (await import("./pages.ts")).pageDelete }],
  ["paging tag", { about: "attach a tag to a page", load: async () => (await import("./pages.ts")).tagCommand }],
  ["paging message-add", { about: "add a message", load: async () => (await import("./messages.ts")).messageAdd }],
  [
    "paging message-list",
    { about: "the messages, or those that hold a text", load: async () => (await import("./messages.ts")).messageList }
  ],
  [
    "paging search",
    { about: "find what was said and kept", load: async () => (await import("./messages.ts")).searchCommand }
  ],
  [
    "paging around",
    { about: "the messages around one", load: async () => (await import("./messages.ts")).aroundCommand }
  ],
  ["paging forget", { about: "delete one message for good", load: async () => (await import("./messages.ts")).forget }],
  [
    "paging init",
    { about: "make the database, and nothing else", load: async () => (await import("./store.ts")).init }
  ],
  [
    "paging cleanup",
    { about: "delete sessions that ended long ago", load: async () => (await import("./store.ts")).cleanupCommand }
  ],
  [
    "paging check",
    { about: "hash and check everything again", load: async () => (await import("./store.ts")).checkCommand }
  ],
  ["paging stats", { about: "how much is kept", load: async () => (await import("./store.ts")).statsCommand }],
  [
    "paging export",
    { about: "everything as lines of JSON", load: async () => (await import("./store.ts")).exportCommand }
  ],
  ["paging import", { about: "take an export in", load: async () => (await import("./store.ts")).importCommand }],
  [
    "paging subscribe",
    {
      about: "record the project's conversations from now on",
      load: async () => (await import("./subscription.ts")).subscribeCommand
    }
  ],
  [
    "paging unsubscribe",
    {
      about: "stop recording; the database is kept",
      load: async () => (await import("./subscription.ts")).unsubscribeCommand
    }
  ],
  [
    "paging subscribed",
    {
      about: "whether it is recorded: exit 0 if so",
      load: async () => (await import("./subscription.ts")).subscribedCommand
    }
  ],
  [
    "paging install",
    {
      about: "record this project: skill, hooks, a trial, the subscription",
      load: async () => (await import("./install.ts")).install
    }
  ],
  [
    "paging uninstall",
    {
      about: "take back what install did; the database is kept",
      load: async () => (await import("./install.ts")).uninstall
    }
  ],
  [
    "paging sweep",
    { about: "take in what agents have recorded before", load: async () => (await import("./sweep.ts")).sweep }
  ]
]
