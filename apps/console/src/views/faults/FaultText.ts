/**
 * Fault rules in words.
 */
import type * as AdminApi from "@mfgdata/client/AdminApi"

type Fault = AdminApi.Response<"listFaults">[number]

const own = new Set(["id", "name", "match", "matched", "fired"])
const schedule = ["probability", "every", "times", "first", "after", "from", "until", "seed"]

const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value))

const list = (fields: ReadonlyArray<readonly [string, unknown]>): string =>
  fields.map(([name, value]) => `${name} ${textOf(value)}`).join(", ")

/** The requests that a rule matches. */
export const match = ({ match = {} }: Fault): string => {
  const fields = Object.entries(match)
  return fields.length === 0 ? "every request" : list(fields)
}

/** The effects of a rule, and when it has them. */
export const effect = (fault: Fault): string => {
  const fields = Object.entries(fault).filter(([name]) => !own.has(name))
  const [effects, times] = [
    fields.filter(([name]) => !schedule.includes(name)),
    fields.filter(([name]) => schedule.includes(name))
  ]
  return times.length === 0 ? list(effects) : `${list(effects)} (${list(times)})`
}
