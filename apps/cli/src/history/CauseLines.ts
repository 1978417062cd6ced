/**
 * Prints what touched a row as lines that a person reads: one for each request, change, delivery and attempt.
 */
import type * as AdminApi from "@mfgdata/client/AdminApi"
import type { Json, JsonObject } from "@mfgdata/domain/Json"

/** The number of characters of a value. */
const widest = 60

const show = (value: Json | undefined): string => {
  const text = JSON.stringify(value ?? null)
  return text.length <= widest ? text : `${text.slice(0, widest)}...`
}

const isSame = (one: Json | undefined, other: Json | undefined): boolean =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null)

/** The fields that a change has set, each with its value before and after. */
const changesOf = ({ after, before, kind }: AdminApi.HistoryEntry): ReadonlyArray<string> => {
  const row: JsonObject = after ?? before ?? {}
  if (kind !== "UPDATE" || before === null || after === null) {
    return Object.entries(row).flatMap(([name, value]) => (value === null ? [] : [`${name}: ${show(value)}`]))
  }
  return Object.keys(row).flatMap((name) =>
    isSame(before[name], after[name]) ? [] : [`${name}: ${show(before[name])} -> ${show(after[name])}`]
  )
}

const verbs = { INSERT: "created", UPDATE: "updated", DELETE: "deleted" } as const

const by = ({ apiKey, userId }: { readonly apiKey: string | null; readonly userId: string | null }): string =>
  [userId === null ? "" : ` by ${userId}`, apiKey === null ? "" : ` with the key ${apiKey}`].join("")

const describe = (cause: AdminApi.HistoryCause): readonly [line: string, ...details: ReadonlyArray<string>] => {
  switch (cause.type) {
    case "request":
      return [`request   ${cause.request ?? "?"}${by(cause)} (${cause.requestId})`]
    case "change":
      return [`${verbs[cause.change.kind]}   change ${cause.change.sequence}`, ...changesOf(cause.change)]
    case "delivery": {
      const { attempts, id, state, type, webhookId } = cause.delivery
      return [
        `delivery  ${type} to webhook ${webhookId}: ${state}, ${attempts} ${attempts === 1 ? "attempt" : "attempts"} (delivery ${id})`
      ]
    }
    case "attempt": {
      const { durationMillis, error, number, outcome, status } = cause.attempt
      const result = [status === null ? "" : ` with ${status}`, error === null ? "" : `: ${error}`].join("")
      return [
        `attempt   ${number} ${outcome}${result} (delivery ${cause.deliveryId}, ${Math.round(durationMillis)} ms)`
      ]
    }
  }
}

/** The lines of a cause. */
export const lines = (cause: AdminApi.HistoryCause): ReadonlyArray<string> => {
  const [line, ...details] = describe(cause)
  return [`${cause.at}  ${line}`, ...details.map((detail) => `${" ".repeat(cause.at.length + 12)}${detail}`)]
}
