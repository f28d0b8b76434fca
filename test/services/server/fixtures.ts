import { Effect, Option } from "effect"
import { sha256 } from "../../../src/model/text/Hash.ts"
import { PagePath } from "../../../src/model/page/PagePath.ts"
import { Sha } from "../../../src/model/page/Sha.ts"
import {
  type PushCommand,
  type PushedFile,
  type PushResult,
  ServerStore
} from "../../../src/services/server/ServerStore.ts"
import { RepoId } from "../../../src/services/sync/SyncApi.ts"

export const repo = RepoId.make("team")
export const ana = { id: "u-ana", email: "ana@example.com", name: "Ana" }
export const path = PagePath.make("wiki/concepts/auth.md")
export const unknownSha = Sha.make("e".repeat(40))

export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
export const textOf = (content: Uint8Array): string => new TextDecoder("utf-8", { ignoreBOM: true }).decode(content)

/** A page of a push; no text: its deletion. */
export const file = (at: PagePath, text: string | undefined, parent?: Sha): PushedFile => ({
  path: at,
  hash: Option.map(Option.fromNullable(text), sha256),
  content: bytes(text ?? ""),
  parent: Option.fromNullable(parent)
})

export const command = (files: ReadonlyArray<PushedFile>, changes: Partial<PushCommand> = {}): PushCommand => ({
  repo,
  pushId: Option.none(),
  author: { name: "Ana", email: "ana@example.com" },
  message: "ctx push",
  seconds: 1_767_225_600,
  files,
  ...changes
})

export const push = (...files: ReadonlyArray<PushedFile>) =>
  Effect.flatMap(ServerStore, (store) => store.push(command(files)))

/** Pushes one text and gives the sha of what landed. */
export const land = (at: PagePath, text: string | undefined, parent?: Sha) =>
  Effect.flatMap(push(file(at, text, parent)), landedSha)

export const landedSha = (result: PushResult) =>
  result._tag === "Landed" && Option.isSome(result.head)
    ? Effect.succeed(result.head.value)
    : Effect.dieMessage(`the push did not land: ${JSON.stringify(result)}`)

/** A repository with its owner. */
export const withRepo = Effect.gen(function* () {
  const store = yield* ServerStore
  yield* store.addUser(ana)
  yield* store.createRepo(repo, ana.id, 0)
  return store
})
