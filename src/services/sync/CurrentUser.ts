import { Context } from "effect"
import type { User } from "./SyncApi.ts"

/** Whose token came with the request. Only `authenticate` finds it out. */
export class CurrentUser extends Context.Tag("ctx-mcp/CurrentUser")<CurrentUser, User>() {}
