import { messageRoles, pageKinds } from "../../model/paging/Role.ts"

const oneOf = (values: ReadonlyArray<string>): string => values.map((value) => `'${value}'`).join(", ")

/** A text over this is not in the search index, and looked through by itself: nobody waits for it when it is written. */
export const indexedBytes = 1024 * 1024

/** The words of a longer text say little about what it is about: such are found by what they hold, and not ranked. */
export const rankedBytes = 64 * 1024

/** Keeps a full-text table in step with its rows, whoever writes them. */
const indexed = (table: string): string => `
  CREATE VIRTUAL TABLE ${table}_trigrams USING fts5(
    content, content='', contentless_delete=1, tokenize='trigram', detail=none);
  CREATE TRIGGER ${table}_trigrams_added AFTER INSERT ON ${table} WHEN new.bytes <= ${indexedBytes} BEGIN
    INSERT INTO ${table}_trigrams(rowid, content) VALUES (new.id, new.content);
  END;
  CREATE TRIGGER ${table}_trigrams_removed AFTER DELETE ON ${table} WHEN old.bytes <= ${indexedBytes} BEGIN
    DELETE FROM ${table}_trigrams WHERE rowid = old.id;
  END;
  CREATE TRIGGER ${table}_trigrams_changed AFTER UPDATE OF content ON ${table} BEGIN
    DELETE FROM ${table}_trigrams WHERE rowid = old.id;
    INSERT INTO ${table}_trigrams(rowid, content) SELECT new.id, new.content WHERE new.bytes <= ${indexedBytes};
  END;
  CREATE INDEX ${table}_large ON ${table}(id) WHERE bytes > ${indexedBytes};`

/**
 * The database's tables, in steps: a file has taken as many as its `user_version` says. A step that was released is never
 * changed.
 *
 * Times are milliseconds since 1970. Numbers of messages and pages are never given twice. Texts stand last in a row, so
 * that what comes before is read without them.
 */
export const migrations: ReadonlyArray<string> = [
  `
  CREATE TABLE sessions (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    started INTEGER NOT NULL,
    active INTEGER NOT NULL,
    ended INTEGER
  ) STRICT;
  CREATE TABLE messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    session_id INTEGER NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
    role TEXT NOT NULL CHECK (role IN (${oneOf(messageRoles)})),
    ts INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    echo INTEGER NOT NULL DEFAULT 0,
    live INTEGER NOT NULL DEFAULT 0,
    uid TEXT NOT NULL,
    source TEXT NOT NULL,
    agent TEXT,
    tool TEXT,
    call TEXT,
    kind TEXT,
    sha256 TEXT NOT NULL,
    content TEXT NOT NULL,
    raw BLOB,
    UNIQUE (session_id, uid)
  ) STRICT;
  CREATE INDEX messages_by_time ON messages(ts, id);
  CREATE INDEX messages_by_session ON messages(session_id, ts, id);
  CREATE INDEX messages_live ON messages(session_id, role) WHERE live = 1;
  CREATE INDEX messages_by_hash ON messages(session_id, sha256);
  CREATE INDEX messages_by_call ON messages(session_id, call) WHERE call IS NOT NULL;
  CREATE TABLE topics (
    id INTEGER PRIMARY KEY,
    session_id INTEGER NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    UNIQUE (session_id, name)
  ) STRICT;
  CREATE TABLE tags (
    id INTEGER PRIMARY KEY,
    session_id INTEGER NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    UNIQUE (session_id, name)
  ) STRICT;
  CREATE TABLE pages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    session_id INTEGER NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
    topic_id INTEGER NOT NULL REFERENCES topics(id) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN (${oneOf(pageKinds)})),
    created INTEGER NOT NULL,
    updated INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    content TEXT NOT NULL,
    raw BLOB
  ) STRICT;
  CREATE INDEX pages_by_time ON pages(updated, id);
  CREATE INDEX pages_by_session ON pages(session_id);
  CREATE INDEX pages_by_topic ON pages(topic_id);
  CREATE TABLE page_tags (
    page_id INTEGER NOT NULL REFERENCES pages(id) ON DELETE CASCADE,
    tag_id INTEGER NOT NULL REFERENCES tags(id) ON DELETE CASCADE,
    PRIMARY KEY (page_id, tag_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX page_tags_by_tag ON page_tags(tag_id);
  CREATE TABLE cursors (
    path TEXT PRIMARY KEY,
    cursor TEXT NOT NULL,
    updated INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE forgotten (
    session_id INTEGER NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
    uid TEXT NOT NULL,
    PRIMARY KEY (session_id, uid)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  ${indexed("messages")}
  ${indexed("pages")}
  CREATE VIRTUAL TABLE messages_words USING fts5(
    content, content='', contentless_delete=1, tokenize='porter unicode61');
  CREATE TRIGGER messages_words_added AFTER INSERT ON messages WHEN new.bytes <= ${rankedBytes} AND new.echo = 0 BEGIN
    INSERT INTO messages_words(rowid, content) VALUES (new.id, new.content);
  END;
  CREATE TRIGGER messages_words_removed AFTER DELETE ON messages WHEN old.bytes <= ${rankedBytes} AND old.echo = 0 BEGIN
    DELETE FROM messages_words WHERE rowid = old.id;
  END;
  CREATE TRIGGER messages_words_changed AFTER UPDATE OF content ON messages BEGIN
    DELETE FROM messages_words WHERE rowid = old.id;
    INSERT INTO messages_words(rowid, content) SELECT new.id, new.content WHERE new.bytes <= ${rankedBytes} AND new.echo = 0;
  END;`
]
