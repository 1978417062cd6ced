/**
 * Prints a line for each response and failure, without secrets and bodies.
 */
import * as Duration from "effect/Duration"
import type { CallRequest, Hooks } from "../../CallResponse.ts"

const nth = ({ attempt }: CallRequest): string => (attempt === 1 ? "" : `, attempt ${attempt}`)

/** The hooks of an option: none, the console, or a function that receives the lines. */
export const hooks = (debug: boolean | ((line: string) => void) | undefined): ReadonlyArray<Hooks> => {
  if (debug === undefined || debug === false) return []
  // oxlint-disable-next-line no-console -- the program asks for lines on the console
  const print = debug === true ? (line: string) => console.error(line) : debug
  return [
    {
      onResponse: ({ duration, requestId, status }, request) => {
        const id = requestId === undefined ? "" : `, request ${requestId}`
        print(`${request.method} ${request.url} ${status} in ${Duration.toMillis(duration)} ms${nth(request)}${id}`)
      },
      onFailure: ({ message }, request) => print(`${request.method} ${request.url} failed${nth(request)}: ${message}`)
    }
  ]
}
