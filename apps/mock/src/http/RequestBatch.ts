/**
 * Batches requests per turn of the event loop: handles all requests that have arrived, then writes all responses.
 * Alternating between requests and system calls takes about twice the processor time, because each evicts the CPU cache
 * of the other.
 */

/** Deferred work, which must not throw. */
type Task = () => void

export interface RequestBatch {
  /** Handles a request after all requests of this turn are read. */
  readonly handle: (task: Task) => void
  /** Writes a response after all requests of the batch are handled. */
  readonly write: (task: Task) => void
}

/** The maximum time for which responses wait until they are written. */
const maxMillis = 4

/** The batches of one server. */
export const make = (): RequestBatch => {
  let requests: Array<Task> = []
  let responses: Array<Task> = []

  const handleAll = () => {
    const tasks = requests
    const endMillis = performance.now() + maxMillis
    let index = 0
    do tasks[index++]?.()
    while (index < tasks.length && performance.now() < endMillis)
    requests = index < tasks.length ? tasks.slice(index) : []
    if (requests.length > 0) setImmediate(handleAll)
  }

  const writeAll = () => {
    const tasks = responses
    responses = []
    for (const task of tasks) task()
  }

  return {
    handle: (task) => {
      if (requests.push(task) === 1) setImmediate(handleAll)
    },
    // process.nextTick runs after the current task and after the fibers that the task resumed.
    write: (task) => {
      if (responses.push(task) === 1) process.nextTick(writeAll)
    }
  }
}
