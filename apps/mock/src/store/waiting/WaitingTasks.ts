/**
 * The tasks of a class that wait for a connection. Companies take turns, and the groups of a company among themselves: the
 * many small reads of one company delay no other one, also where they read the same table.
 */

export interface Waiting {
  /** The company whose task it is; undefined for the service itself. */
  readonly companyId: string | undefined
  /** The tasks that share the limits of a group. */
  readonly group: string
  readonly deadline: number
}

export interface WaitingTasks<T extends Waiting> {
  readonly size: () => number
  readonly add: (task: T) => void
  readonly remove: (task: T) => boolean
  /** Removes the first task, in turns, for which `find` finds something. */
  readonly take: <A>(find: (task: T) => A | undefined) => { readonly task: T; readonly found: A } | undefined
  /** Removes tasks that are past their deadlines, up to a number. */
  readonly expire: (now: number, most: number) => ReadonlyArray<T>
  readonly all: () => ReadonlyArray<T>
}

export const make = <T extends Waiting>(): WaitingTasks<T> => {
  // The first company, and its first group, are the next.
  const companies = new Map<string, Map<string, Array<T>>>()
  let size = 0

  const tasksOf = ({ companyId = "", group }: Waiting): Array<T> => companies.get(companyId)?.get(group) ?? []

  /** Counts removed tasks of a group, and forgets the group and the company without any. */
  const settle = ({ companyId = "", group }: Waiting, removed: number) => {
    const groups = companies.get(companyId)
    size -= removed
    if (groups?.get(group)?.length === 0) groups.delete(group)
    if (groups?.size === 0) companies.delete(companyId)
  }

  /** Makes the group the last of its company, and the company the last of all. */
  const rotate = ({ companyId = "", group }: Waiting, groups: Map<string, Array<T>>, tasks: Array<T>) => {
    groups.delete(group)
    groups.set(group, tasks)
    companies.delete(companyId)
    companies.set(companyId, groups)
  }

  return {
    size: () => size,
    add: (task) => {
      const { companyId = "", group } = task
      const groups = companies.get(companyId) ?? new Map<string, Array<T>>()
      companies.set(companyId, groups)
      const tasks = groups.get(group)
      if (tasks === undefined) groups.set(group, [task])
      else tasks.push(task)
      size += 1
    },
    remove: (task) => {
      const tasks = tasksOf(task)
      const at = tasks.indexOf(task)
      if (at === -1) return false
      tasks.splice(at, 1)
      settle(task, 1)
      return true
    },
    take: (find) => {
      for (const groups of companies.values()) {
        for (const tasks of groups.values()) {
          const [task] = tasks
          const found = task === undefined ? undefined : find(task)
          if (task === undefined || found === undefined) continue
          rotate(task, groups, tasks)
          // It takes less time than a splice of a long list.
          tasks.shift()
          settle(task, 1)
          return { task, found }
        }
      }
      return undefined
    },
    expire: (now, most) => {
      const late: Array<T> = []
      for (const [first] of [...companies.values()].flatMap((groups) => [...groups.values()])) {
        if (first === undefined) continue
        const tasks = tasksOf(first)
        // The tasks of a group have one timeout, or none, so that the first one with a timeout is the oldest.
        const from = tasks.findIndex(({ deadline }) => deadline !== Number.POSITIVE_INFINITY)
        let count = 0
        while (late.length + count < most && (tasks[from + count]?.deadline ?? Infinity) <= now) count += 1
        if (count === 0) continue
        late.push(...tasks.splice(from, count))
        settle(first, count)
      }
      return late
    },
    all: () => [...companies.values()].flatMap((groups) => [...groups.values()].flat())
  }
}
