/** Frontmatter that every write sets: it never makes a conflict, and never counts as a change of the frontmatter. */
const stamps: ReadonlySet<string> = new Set(["created", "updated", "author", "agent", "parent_sha"])

/** Whether a frontmatter key is a stamp (design rule 3). */
export const isStamp = (key: string): boolean => stamps.has(key)
