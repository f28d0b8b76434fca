import type { Migration } from "./migrations.ts"

/**
 * The tables of the server, for SQLite. Times are milliseconds since the epoch, commit times seconds.
 *
 * Everything of a repository carries its id, so that one database can hold some repositories and another the rest.
 * `identity` is the case-folded path. A page or version without a `hash` is a deletion.
 */
export const schema: ReadonlyArray<Migration> = [
  {
    name: "accounts, repositories, pages",
    statements: [
      `CREATE TABLE users (
        id TEXT NOT NULL PRIMARY KEY,
        email TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL
      )`,
      `CREATE TABLE tokens (
        id TEXT NOT NULL PRIMARY KEY,
        user_id TEXT NOT NULL REFERENCES users (id),
        hash TEXT NOT NULL UNIQUE,
        label TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        last_used_at INTEGER
      )`,
      "CREATE INDEX tokens_by_user ON tokens (user_id)",
      `CREATE TABLE repos (
        id TEXT NOT NULL PRIMARY KEY,
        head_seq INTEGER NOT NULL,
        created_at INTEGER NOT NULL
      )`,
      `CREATE TABLE members (
        repo_id TEXT NOT NULL REFERENCES repos (id),
        user_id TEXT NOT NULL REFERENCES users (id),
        role TEXT NOT NULL CHECK (role IN ('owner', 'member', 'reader')),
        added_at INTEGER NOT NULL,
        PRIMARY KEY (repo_id, user_id)
      ) WITHOUT ROWID`,
      "CREATE INDEX members_by_user ON members (user_id)",
      `CREATE TABLE commits (
        repo_id TEXT NOT NULL REFERENCES repos (id),
        seq INTEGER NOT NULL,
        sha TEXT NOT NULL,
        parent TEXT,
        tree TEXT NOT NULL,
        author TEXT NOT NULL,
        email TEXT NOT NULL,
        seconds INTEGER NOT NULL,
        message TEXT NOT NULL,
        PRIMARY KEY (repo_id, seq),
        UNIQUE (repo_id, sha)
      )`,
      `CREATE TABLE pushes (
        repo_id TEXT NOT NULL REFERENCES repos (id),
        push_id TEXT NOT NULL,
        digest TEXT NOT NULL,
        answer TEXT NOT NULL,
        PRIMARY KEY (repo_id, push_id)
      ) WITHOUT ROWID`,
      `CREATE TABLE bodies (
        repo_id TEXT NOT NULL REFERENCES repos (id),
        hash TEXT NOT NULL,
        content BLOB NOT NULL,
        PRIMARY KEY (repo_id, hash)
      )`,
      `CREATE TABLE pages (
        repo_id TEXT NOT NULL REFERENCES repos (id),
        identity TEXT NOT NULL,
        path TEXT NOT NULL,
        seq INTEGER NOT NULL,
        sha TEXT NOT NULL,
        hash TEXT,
        blob TEXT,
        PRIMARY KEY (repo_id, identity)
      ) WITHOUT ROWID`,
      "CREATE INDEX pages_by_seq ON pages (repo_id, seq)",
      `CREATE TABLE versions (
        repo_id TEXT NOT NULL REFERENCES repos (id),
        identity TEXT NOT NULL,
        seq INTEGER NOT NULL,
        path TEXT NOT NULL,
        sha TEXT NOT NULL,
        parent TEXT,
        hash TEXT,
        PRIMARY KEY (repo_id, identity, seq)
      ) WITHOUT ROWID`,
      "CREATE INDEX versions_by_seq ON versions (repo_id, seq)",
      `CREATE TABLE folders (
        repo_id TEXT NOT NULL REFERENCES repos (id),
        path TEXT NOT NULL,
        tree TEXT NOT NULL,
        PRIMARY KEY (repo_id, path)
      ) WITHOUT ROWID`
    ]
  },
  {
    name: "texts that were purged",
    statements: [
      `CREATE TABLE erased (
        repo_id TEXT NOT NULL REFERENCES repos (id),
        hash TEXT NOT NULL,
        path TEXT NOT NULL,
        blob TEXT NOT NULL,
        versions INTEGER NOT NULL,
        by_user TEXT NOT NULL,
        reason TEXT NOT NULL,
        erased_at BIGINT NOT NULL,
        PRIMARY KEY (repo_id, hash)
      ) WITHOUT ROWID`,
      "CREATE INDEX versions_by_hash ON versions (repo_id, hash)"
    ]
  }
]
