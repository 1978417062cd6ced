/**
 * Fills in the columns that the service sets: ids, the company, and the user and time of creation and update.
 */
import * as CalendarDate from "@mfgdata/domain/CalendarDate"
import * as Column from "@mfgdata/domain/Column"
import type { Default } from "@mfgdata/domain/ResourceRules"
import type { Json } from "@mfgdata/domain/Json"
import type * as Resource from "@mfgdata/domain/Resource"
import * as ServiceColumn from "../../sql/ServiceColumn.ts"
import type { NewRow } from "../../sql/write/Mutation.ts"
import * as NamedKey from "./NamedKey.ts"
import type { PlanContext } from "./PlanContext.ts"
import type { Values } from "./ValuePlan.ts"

/** The time of a request, the same in every column that it writes. */
const moment = ({ now }: PlanContext): string => ServiceColumn.timestamp(now())

/** The default of a column. The contract rules leave the year of a holiday to the client. */
const fillOf = ({ rules: { defaults } }: Resource.Any, name: string, { rules }: PlanContext): Default | undefined => {
  const fill = defaults[name]
  return fill?._tag === "YearOf" && rules === "contract" ? undefined : fill
}

/** Reports whether a null is replaced by the default: under the public rules every row has a company. */
const isReplaced = (fill: Default | undefined, { rules }: PlanContext): boolean =>
  fill?._tag === "Company" && rules === "public"

/** Complete rows, made of the values of a request. Keys made from names are unique among these rows too. */
export const rows = (
  resource: Resource.Any,
  records: ReadonlyArray<Values>,
  context: PlanContext
): ReadonlyArray<NewRow> => {
  const columns = Column.fromResource(resource)
  const now = moment(context)
  const taken = new Set(context.taken)

  const fill = (fill: Default, values: Values): Json => {
    switch (fill._tag) {
      case "NewId":
        return context.newId()
      case "Company":
        return context.caller.companyId
      case "Creator":
        return context.caller.userId
      case "CreatedAt":
        return now
      case "Updater":
      case "UpdatedAt":
        return null
      case "YearOf": {
        const date = values[fill.column]
        return typeof date === "string" ? CalendarDate.year(CalendarDate.make(date)) : null
      }
      case "CamelCaseOf": {
        const key = NamedKey.make(String(values[fill.column]), taken)
        taken.add(key)
        return key
      }
    }
  }

  return records.map((values) => {
    const row: { [column: string]: Json } = {}
    for (const { name, nullable } of columns) {
      const given = values[name] ?? null
      const filled = fillOf(resource, name, context)
      const isKept = given !== null || (name in values && nullable && !isReplaced(filled, context))
      row[name] = isKept || filled === undefined ? given : fill(filled, values)
    }
    return row
  })
}

/** The columns that every update sets: the user and the time. */
export const touch = (resource: Resource.Any, context: PlanContext): NewRow => {
  const now = moment(context)
  const set: { [column: string]: Json } = {}
  for (const [name, fill] of Object.entries(resource.rules.defaults)) {
    if (fill._tag === "Updater") set[name] = context.caller.userId
    if (fill._tag === "UpdatedAt") set[name] = now
  }
  return set
}

/** The columns that an update sets, with nulls replaced by defaults where the rules need them. */
export const changes = (resource: Resource.Any, values: Values, context: PlanContext): NewRow =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      value === null && isReplaced(fillOf(resource, name, context), context) ? context.caller.companyId : value
    ])
  )
