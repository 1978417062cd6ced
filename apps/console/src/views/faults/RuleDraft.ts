/**
 * The form of a fault rule: the fields that most rules need, and the rule as JSON for everything else.
 */
import type * as Admin from "../../service/Admin.ts"

export const effects = [
  { value: "latency", text: "Responds late" },
  { value: "status", text: "Responds with a status" },
  { value: "reset-before", text: "Closes the connection before the commit" },
  { value: "reset-after", text: "Closes the connection after the commit" },
  { value: "hang-before", text: "Never responds, before the commit" },
  { value: "hang-after", text: "Never responds, after the commit" },
  { value: "truncate", text: "Cuts the body in half" },
  { value: "malform", text: "Breaks the syntax of the body" },
  { value: "store", text: "Responds as without a store" },
  { value: "duplicate", text: "Sends a delivery twice" },
  { value: "delay", text: "Sends a delivery late" },
  { value: "reorder", text: "Sends deliveries in another order" },
  { value: "drop", text: "Does not send a delivery" }
] as const

export type Effect = (typeof effects)[number]["value"]

export interface Draft {
  readonly effect: Effect
  /** Milliseconds of a latency, or the status of a response. */
  readonly amount: string
  readonly method: string
  readonly resource: string
  /** Percent of the matches. */
  readonly percent: string
  /** The number of times that it fires at most. */
  readonly times: string
}

export const empty: Draft = { effect: "latency", amount: "500", method: "", resource: "", percent: "100", times: "" }

/** The label of the amount; undefined for an effect without one. */
export const amountOf = (effect: Effect): string | undefined =>
  effect === "latency" ? "Milliseconds" : effect === "status" ? "Status" : undefined

const effectOf = ({ amount, effect }: Draft): object => {
  switch (effect) {
    case "latency":
      return { latency: { fixed: Number(amount) } }
    case "status":
      return { status: Number(amount) }
    case "reset-before":
      return { reset: "before-commit" }
    case "reset-after":
      return { reset: "after-commit" }
    case "hang-before":
      return { hang: "before-commit" }
    case "hang-after":
      return { hang: "after-commit" }
    case "truncate":
      return { truncate: 0.5 }
    case "malform":
      return { malform: true }
    case "store":
      return { store: "unavailable" }
    case "duplicate":
    case "delay":
    case "reorder":
    case "drop":
      return { webhook: effect }
  }
}

/** The rule of a form, as the service takes it. */
export const ruleOf = (draft: Draft): object => {
  const { method, percent, resource, times } = draft
  const match = { ...(method === "" ? {} : { method }), ...(resource === "" ? {} : { resource }) }
  return {
    ...(Object.keys(match).length === 0 ? {} : { match }),
    ...effectOf(draft),
    ...(percent === "100" || percent === "" ? {} : { probability: Number(percent) / 100 }),
    ...(times === "" ? {} : { times: Number(times) })
  }
}

/** The rule of a JSON text. */
export const parse = (text: string): Admin.Fields<"createFault"> => {
  const rule: unknown = JSON.parse(text)
  if (typeof rule !== "object" || rule === null || Array.isArray(rule)) throw new Error("Expected a JSON object.")
  // The service checks the rule, and names the field that is wrong.
  return rule
}
