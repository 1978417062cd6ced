/**
 * Fills in the columns that the service sets: ids, the company, and the user and time of creation and update.
 */
import * as CalendarDate from "@mfgdata/domain/CalendarDate"
import * as Column from "@mfgdata/domain/Column"
import type { Default, RuleSet } from "@mfgdata/domain/ResourceRules"
import type { Json } from "@mfgdata/domain/Json"
import * as Memo from "@mfgdata/domain/Memo"
import type * as Resource from "@mfgdata/domain/Resource"
import * as ServiceColumn from "../../sql/ServiceColumn.ts"
import type { NewRow } from "../../sql/write/Mutation.ts"
import * as NamedKey from "./NamedKey.ts"
import type { PlanContext } from "./PlanContext.ts"
import type { Values } from "./ValuePlan.ts"

/** The time of a request, the same in every column that it writes. */
const moment = ({ now }: PlanContext): string => ServiceColumn.timestamp(now())

/** The columns of a new row: all of them without values, and those that have a default. */
interface Template {
  readonly empty: NewRow
  readonly defaults: ReadonlyArray<Pick<Column.Column, "name" | "nullable"> & { readonly columnDefault: Default }>
}

const makeTemplate = (resource: Resource.Any, rules: RuleSet): Template => {
  const columns = Column.fromResource(resource)
  return {
    empty: Object.fromEntries(columns.map(({ name }) => [name, null])),
    defaults: columns.flatMap(({ name, nullable }) => {
      const columnDefault = resource.rules.defaults[name]
      // The contract rules leave the year of a holiday to the client.
      const isOff = columnDefault?._tag === "YearOf" && rules === "contract" && columnDefault.isTaught !== true
      return columnDefault === undefined || isOff ? [] : [{ name, nullable, columnDefault }]
    })
  }
}

const templatesOf: { readonly [R in RuleSet]: (resource: Resource.Any) => Template } = {
  contract: Memo.make((resource) => makeTemplate(resource, "contract")),
  public: Memo.make((resource) => makeTemplate(resource, "public"))
}

/** Reports whether a null is replaced by the default: under the public rules every row has a company. */
const isReplaced = ({ _tag }: Default, { rules }: PlanContext): boolean => _tag === "Company" && rules === "public"

/**
 * The function that makes complete rows of the values of a request, one after the other. Keys made from names are unique
 * among these rows too.
 */
export const complement = (resource: Resource.Any, context: PlanContext): ((values: Values) => NewRow) => {
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
      case "Constant":
        return columnDefault.value
      case "CamelCaseOf":
        return namedKeys(String(values[columnDefault.column]))
    }
  }

  const { defaults, empty } = templatesOf[context.rules](resource)
  return (values) => {
    // A copy with all columns, which the loops only assign to: objects that grow column by column are slow.
    const row: { [column: string]: Json } = { ...empty }
    for (const name in values) row[name] = values[name] ?? null
    for (const { columnDefault, name, nullable } of defaults) {
      const isKept = row[name] !== null || (name in values && nullable && !isReplaced(columnDefault, context))
      if (!isKept) row[name] = compute(columnDefault, values)
    }
    return row
  }
}

/** The columns that every update sets: the user and the time. */
export const auditColumns = (resource: Resource.Any, context: PlanContext): NewRow => {
  const now = moment(context)
  const set: { [column: string]: Json } = {}
  for (const { columnDefault, name } of templatesOf[context.rules](resource).defaults) {
    if (columnDefault._tag === "Updater") set[name] = context.caller.userId
    if (columnDefault._tag === "UpdatedAt") set[name] = now
  }
  return set
}

/** The columns that an update sets, with nulls replaced by defaults where the rules need them. */
export const changes = (resource: Resource.Any, values: Values, context: PlanContext): NewRow => {
  const replaced = templatesOf[context.rules](resource).defaults.filter(
    ({ columnDefault, name }) => isReplaced(columnDefault, context) && values[name] === null
  )
  if (replaced.length === 0) return values
  return { ...values, ...Object.fromEntries(replaced.map(({ name }) => [name, context.caller.companyId])) }
}
