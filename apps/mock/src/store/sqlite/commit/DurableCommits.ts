/**
 * Makes commits durable in their order: one sync at a time, which covers all commits before it.
 */

export interface DurableCommits<A> {
  readonly add: (commit: A) => void
  /** Succeeds when no sync is in flight. */
  readonly done: () => Promise<void> | undefined
}

export interface Options<A> {
  /** Syncs the log; absent where commits need none. */
  readonly sync: (() => Promise<void>) | undefined
  readonly succeed: (commits: ReadonlyArray<A>) => void
  readonly fail: (commits: ReadonlyArray<A>, cause: unknown) => void
}

export const make = <A>({ fail, succeed, sync }: Options<A>): DurableCommits<A> => {
  let committed: Array<A> = []
  let syncing: Promise<void> | undefined

  /** Syncs the log unless a sync is in flight, whose end starts the next one. Ends when nothing is left to sync. */
  const next = (): Promise<void> | undefined => {
    if (syncing !== undefined || committed.length === 0 || sync === undefined) return syncing
    const commits = committed
    committed = []
    syncing = sync()
      .then(
        () => succeed(commits),
        (cause: unknown) => fail(commits, cause)
      )
      .then(() => {
        syncing = undefined
        return next()
      })
    return syncing
  }

  return {
    add: (commit) => {
      if (sync === undefined) return succeed([commit])
      committed.push(commit)
      void next()
    },
    done: () => syncing
  }
}
