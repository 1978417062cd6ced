/**
 * Adds the header `Mfg-Cost` to responses, refusals included: the class of the work, the rows looked at where they are
 * known, and the milliseconds that it took.
 */
import * as Exchange from "../../Exchange.ts"
import type { Cost } from "../cost/Cost.ts"

type Known = Pick<Cost, "class" | "known">

/** The work of one request. It is mutable, because every request has one. */
export interface Work {
  cost: Known | undefined
  startMillis: number
}

/** Work whose cost is not known yet. */
export const make = (): Work => ({ cost: undefined, startMillis: 0 })

/** Notes the cost of the work, which begins now. */
export const start = (work: Work, cost: Known): void => {
  work.cost = cost
  work.startMillis = performance.now()
}

/** Adds the cost of the work to its response; a request that was refused before its work has none. */
export const show = ({ cost, startMillis }: Work, response: Exchange.Response): Exchange.Response => {
  if (cost === undefined) return response
  const { body, headers, status } = response
  const rows = cost.known === undefined ? "" : `;rows=${cost.known}`
  const text = `${cost.class}${rows};ms=${(performance.now() - startMillis).toFixed(1)}`
  return { status, headers: Exchange.withHeader(headers, "Mfg-Cost", text), body }
}
