import { Schema } from "effect"

/**
 * Id of the commit that last touched a page. Ours and the public server's are git commit ids (40 lower-case hex digits);
 * a repository that uses git's SHA-256 format has 64. The whole range is accepted, so that only hex ever reaches a URL
 * or an argument list.
 */
export const Sha = Schema.String.pipe(Schema.pattern(/^[0-9a-f]{7,64}$/), Schema.brand("Sha"))
export type Sha = typeof Sha.Type

/** The seven digits that directives and diffs show. */
export const short = (sha: Sha): string => sha.slice(0, 7)

/** The eight digits that `HEAD=` and status lines show. */
export const short8 = (sha: Sha): string => sha.slice(0, 8)
