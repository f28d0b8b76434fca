import { Effect } from "effect"
import { subscribed } from "../../effects/paging/subscription.ts"
import type { Tool } from "./Tool.ts"
import { captureSession } from "./tools/captureSession.ts"
import { deletePage } from "./tools/deletePage.ts"
import { diff } from "./tools/diff.ts"
import { evolution } from "./tools/evolution.ts"
import { history } from "./tools/history.ts"
import { migrate } from "./tools/migrate.ts"
import { pagingTools } from "./tools/paging.ts"
import { pull } from "./tools/pull.ts"
import { push } from "./tools/push.ts"
import { readPage } from "./tools/readPage.ts"
import { renamePage } from "./tools/renamePage.ts"
import { revert } from "./tools/revert.ts"
import { search } from "./tools/search.ts"
import { status } from "./tools/status.ts"
import { writePage } from "./tools/writePage.ts"

/** Whether the project's conversations are recorded; a registry that cannot be read records nobody. */
export const isPaged = subscribed().pipe(
  Effect.map((state) => state.subscribed),
  Effect.catchAll(({ message }) => Effect.as(Effect.logDebug(message), false))
)

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
type PagingNeeds = Effect.Effect.Context<ReturnType<(typeof pagingTools)[number]["call"]>>

const wiki: ReadonlyArray<Tool<Needs | PagingNeeds>> = all
const withPaging: ReadonlyArray<Tool<Needs | PagingNeeds>> = [...all, ...pagingTools]

/** Every tool of the project, in the order in which clients list them: those of context paging where it is subscribed. */
export const tools = Effect.map(isPaged, (paged) => (paged ? withPaging : wiki))
