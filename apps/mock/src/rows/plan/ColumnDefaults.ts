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
const defaultOf = (
  { rules: { defaults } }: Resource.Any,
  name: string,
  { rules }: PlanContext
): Default | undefined => {
  const columnDefault = defaults[name]
  return columnDefault?._tag === "YearOf" && rules === "contract" ? undefined : columnDefault
}

/** Reports whether a null is replaced by the default: under the public rules every row has a company. */
const isReplaced = (columnDefault: Default | undefined, { rules }: PlanContext): boolean =>
  columnDefault?._tag === "Company" && rules === "public"

/**
 * The function that makes complete rows of the values of a request, one after the other. Keys made from names are unique
 * among these rows too.
 */
export const complement = (resource: Resource.Any, context: PlanContext): ((values: Values) => NewRow) => {
  const columns = Column.fromResource(resource)
  const now = moment(context)
  const namedKeys = NamedKey.generator(context.taken)

  const compute = (columnDefault: Default, values: Values): Json => {
    switch (columnDefault._tag) {
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
        const date = values[columnDefault.column]
        return typeof date === "string" ? CalendarDate.year(CalendarDate.make(date)) : null
      }
      case "CamelCaseOf":
        return namedKeys(String(values[columnDefault.column]))
    }
  }

  return (values) => {
    const row: { [column: string]: Json } = {}
    for (const { name, nullable } of columns) {
      const given = values[name] ?? null
      const columnDefault = defaultOf(resource, name, context)
      const isKept = given !== null || (name in values && nullable && !isReplaced(columnDefault, context))
      row[name] = isKept || columnDefault === undefined ? given : compute(columnDefault, values)
    }
    return row
  }
}

/** The columns that every update sets: the user and the time. */
export const auditColumns = (resource: Resource.Any, context: PlanContext): NewRow => {
  const now = moment(context)
  const set: { [column: string]: Json } = {}
  for (const [name, columnDefault] of Object.entries(resource.rules.defaults)) {
    if (columnDefault._tag === "Updater") set[name] = context.caller.userId
    if (columnDefault._tag === "UpdatedAt") set[name] = now
  }
  return set
}

/** The columns that an update sets, with nulls replaced by defaults where the rules need them. */
export const changes = (resource: Resource.Any, values: Values, context: PlanContext): NewRow =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      value === null && isReplaced(defaultOf(resource, name, context), context) ? context.caller.companyId : value
    ])
  )
