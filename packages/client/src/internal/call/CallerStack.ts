/**
 * Makes the stacks of errors begin at the line that called a method. Where an error occurs, the stack has only the loops
 * of the runtime.
 */

/** The stack of a call. */
export interface CallerStack {
  readonly stack?: string
}

/** The engines of Chromium, Node and Safari capture stacks, and format them only when they are read. */
interface Engine {
  readonly captureStackTrace?: (target: CallerStack, below: (...args: never) => unknown) => void
}

const separator = "\n    at "

/** Captures the stack below a function, which a method calls first. */
export const capture = (below: (...args: never) => unknown): CallerStack => {
  const target: CallerStack = {}
  // No version of the language declares it.
  ;(Error as Engine).captureStackTrace?.(target, below)
  return target
}

/** An error with the stack of a call. */
export const attach = (error: unknown, { stack }: CallerStack): unknown => {
  if (!(error instanceof Error) || stack === undefined) return error
  // The first frame is the method.
  const frames = stack.split(separator).slice(2)
  const value = [`${error.name}: ${error.message}`, ...frames].join(separator)
  return Object.defineProperty(error, "stack", { value, configurable: true, writable: true })
}
