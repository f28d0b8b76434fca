import type { Effect } from "effect"
import type { Tool } from "./Tool.ts"
import { captureSession } from "./tools/captureSession.ts"
import { deletePage } from "./tools/deletePage.ts"
import { diff } from "./tools/diff.ts"
import { evolution } from "./tools/evolution.ts"
import { history } from "./tools/history.ts"
import { migrate } from "./tools/migrate.ts"
import { pull } from "./tools/pull.ts"
import { push } from "./tools/push.ts"
import { readPage } from "./tools/readPage.ts"
import { renamePage } from "./tools/renamePage.ts"
import { revert } from "./tools/revert.ts"
import { search } from "./tools/search.ts"
import { status } from "./tools/status.ts"
import { writePage } from "./tools/writePage.ts"

const all = [
  status,
  writePage,
  readPage,
  search,
  push,
  pull,
  history,
  diff,
  evolution,
  renamePage,
  revert,
  deletePage,
  captureSession,
  migrate
]

type Needs = Effect.Effect.Context<ReturnType<(typeof all)[number]["call"]>>

/** Every tool, in the order in which clients list them. */
export const tools: ReadonlyArray<Tool<Needs>> = all
