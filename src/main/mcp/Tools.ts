import type { Effect } from "effect"
import type { Tool } from "./Tool.ts"
import { deletePage } from "./tools/deletePage.ts"
import { diff } from "./tools/diff.ts"
import { pull } from "./tools/pull.ts"
import { push } from "./tools/push.ts"
import { readPage } from "./tools/readPage.ts"
import { renamePage } from "./tools/renamePage.ts"
import { status } from "./tools/status.ts"
import { writePage } from "./tools/writePage.ts"

const all = [status, writePage, readPage, push, pull, diff, renamePage, deletePage]

type Needs = Effect.Effect.Context<ReturnType<(typeof all)[number]["call"]>>

/** Every tool, in the order in which clients list them. */
export const tools: ReadonlyArray<Tool<Needs>> = all
