/**
 * The turns of the event loop under load: requests that arrive in one are answered one after the other, and then the
 * answers are written. Between two system calls the same work costs a processor twice as much, which has forgotten by
 * then what it needs for it.
 */

/** Something that is to be done soon, and fails with defects alone. */
type Task = () => void

export interface Turn {
  /** Answers a request, after all those that can be read now were read. */
  readonly answer: (task: Task) => void
  /** Writes an answer, after all those that can be made now were made. */
  readonly write: (task: Task) => void
}

/** So long at most answers are made before those that are there are written. */
const longestMillis = 4

/** The turns of one server. */
export const make = (): Turn => {
  let arrived: Array<Task> = []
  let answered: Array<Task> = []

  const answerAll = () => {
    const tasks = arrived
    const endMillis = performance.now() + longestMillis
    let index = 0
    do tasks[index++]?.()
    while (index < tasks.length && performance.now() < endMillis)
    arrived = index < tasks.length ? tasks.slice(index) : []
    if (arrived.length > 0) setImmediate(answerAll)
  }

  const writeAll = () => {
    const tasks = answered
    answered = []
    for (const task of tasks) task()
  }

  return {
    answer: (task) => {
      if (arrived.push(task) === 1) setImmediate(answerAll)
    },
    // After what runs now, the fibers that it woke among it.
    write: (task) => {
      if (answered.push(task) === 1) process.nextTick(writeAll)
    }
  }
}
