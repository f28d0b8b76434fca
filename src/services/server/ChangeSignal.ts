import { Context, Effect, Layer, Queue, type Scope } from "effect"
import type { RepoId } from "../sync/SyncApi.ts"

export type Wake = "changed" | "closed"

/**
 * Tells whoever waits for a repository that it is worth looking again. It carries no truth: what changed is read from the
 * store, and who waits also looks now and then by itself, so that a signal that got lost costs seconds and nothing else.
 *
 * The layer here reaches the waiting of this process; one over PostgreSQL's LISTEN and NOTIFY can reach those of others.
 */
export class ChangeSignal extends Context.Tag("ctx-mcp/ChangeSignal")<
  ChangeSignal,
  {
    /** Wakes who listens to the repository. To be called after the commit, never within its transaction. */
    readonly notify: (repo: RepoId) => Effect.Effect<void>
    /**
     * Listens for the length of the scope. The effect that it gives waits for the next signal since it was run last, or
     * since the beginning; signals in between are one. After `close` it says `closed` at once.
     */
    readonly listen: (repo: RepoId) => Effect.Effect<Effect.Effect<Wake>, never, Scope.Scope>
    /** How many listen now. */
    readonly listening: Effect.Effect<number>
    /** Ends every waiting, and all to come: what a server does before it stops. */
    readonly close: Effect.Effect<void>
  }
>() {
  /** For one process. */
  static readonly layer: Layer.Layer<ChangeSignal> = Layer.sync(ChangeSignal, () => {
    const listeners = new Map<RepoId, Set<Queue.Queue<Wake>>>()
    let closed = false

    const wake = (queues: Iterable<Queue.Queue<Wake>>, how: Wake) =>
      Effect.forEach([...queues], (queue) => Queue.offer(queue, how), { discard: true })

    const register = (repo: RepoId) =>
      Effect.map(Queue.sliding<Wake>(1), (queue) => {
        const those = listeners.get(repo) ?? new Set()
        listeners.set(repo, those.add(queue))
        return queue
      })

    const remove = (repo: RepoId, queue: Queue.Queue<Wake>) => {
      const those = listeners.get(repo)
      if (those?.delete(queue) === true && those.size === 0) listeners.delete(repo)
    }

    return {
      notify: (repo) => Effect.suspend(() => wake(listeners.get(repo) ?? [], "changed")),
      listen: (repo) =>
        Effect.map(
          Effect.acquireRelease(register(repo), (queue) => Effect.sync(() => remove(repo, queue))),
          (queue) => Effect.suspend(() => (closed ? Effect.succeed<Wake>("closed") : Queue.take(queue)))
        ),
      listening: Effect.sync(() => [...listeners.values()].reduce((sum, { size }) => sum + size, 0)),
      close: Effect.suspend(() => {
        closed = true
        return wake(
          [...listeners.values()].flatMap((those) => [...those]),
          "closed"
        )
      })
    }
  })
}
