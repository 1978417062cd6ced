/**
 * Batches requests per turn of the event loop: handles all requests that have arrived, then writes all responses.
 * Alternating between requests and system calls takes about twice the processor time, because each evicts the CPU cache
 * of the other.
 *
 * Companies take turns by processor time, so that the many or large requests of one do not delay those of another: each
 * has a millisecond at a time, and a company that took longer misses as many turns.
 */

/** Deferred work, which must not throw. */
type Task = () => void

export interface RequestBatch {
  /** Handles a request after all requests of this turn are read. Requests of unknown companies share their turns. */
  readonly handle: (task: Task, companyId?: string) => void
  /** Writes a response after all requests of the batch are handled. */
  readonly write: (task: Task) => void
}

/** The maximum time for which responses wait until they are written. */
const maxMillis = 4

/** The processor time of a company's turn. */
const turnMillis = 1

/** The number of handled requests above which a company's list is shortened. */
const mostHandled = 1024

/** The requests of a company that wait. */
interface Company {
  readonly tasks: Array<Task>
  /** The number of tasks that are handled. */
  handled: number
  /** The processor time that is left of its turns; negative after a task that took longer. */
  left: number
}

/** The batches of one server. */
export const make = (): RequestBatch => {
  // The first company is the next.
  const companies = new Map<string, Company>()
  let responses: Array<Task> = []

  const handleAll = () => {
    let now = performance.now()
    const endMillis = now + maxMillis
    // A company that is added again is visited again.
    for (const [companyId, company] of companies) {
      const { tasks } = company
      company.left = companies.size === 1 ? turnMillis : Math.min(0, company.left) + turnMillis
      while (company.left > 0 && company.handled < tasks.length && now < endMillis) {
        tasks[company.handled++]?.()
        const ended = performance.now()
        company.left -= ended - now
        now = ended
      }
      companies.delete(companyId)
      if (company.handled < tasks.length) companies.set(companyId, company)
      if (company.handled > mostHandled) {
        tasks.splice(0, company.handled)
        company.handled = 0
      }
      if (now >= endMillis) break
    }
    if (companies.size > 0) setImmediate(handleAll)
  }

  const writeAll = () => {
    const tasks = responses
    responses = []
    for (const task of tasks) task()
  }

  return {
    handle: (task, companyId = "") => {
      const known = companies.get(companyId)
      if (known !== undefined) return void known.tasks.push(task)
      if (companies.size === 0) setImmediate(handleAll)
      companies.set(companyId, { tasks: [task], handled: 0, left: 0 })
    },
    // process.nextTick runs after the current task and after the fibers that the task resumed.
    write: (task) => {
      if (responses.push(task) === 1) process.nextTick(writeAll)
    }
  }
}
