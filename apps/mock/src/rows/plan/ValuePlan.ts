/**
 * Plans the values of a body: checks that each column exists and is writable, and that each value fits its column.
 */
import * as Column from "@mfgdata/domain/Column"
import * as Decoder from "@mfgdata/domain/Decoder"
import * as HttpAddress from "@mfgdata/domain/HttpAddress"
import type { Json, JsonObject } from "@mfgdata/domain/Json"
import type * as DecodeError from "@mfgdata/domain/DecodeError"
import * as Memo from "@mfgdata/domain/Memo"
import * as Suggestion from "@mfgdata/domain/Suggestion"
import type * as Resource from "@mfgdata/domain/Resource"
import type { RuleSet } from "@mfgdata/domain/ResourceRules"
import * as Text from "@mfgdata/domain/Text"
import * as Either from "effect/Either"
import * as IndexedText from "../../sql/text/IndexedText.ts"
import * as Coercion from "./Coercion.ts"
import type { RowError } from "../RowError.ts"
import type { PlanContext } from "./PlanContext.ts"
import * as VocabularyCheck from "./VocabularyCheck.ts"

/** Values by column. A column that is not in the body has no entry. */
export type Values = JsonObject

/** The values of one record. */
export interface Record {
  readonly values: Values
  /** Values of columns that the service sets. They must equal the stored values, which `sql/write/StoredGuard` checks. */
  readonly service: Values
}

export interface ValueOptions {
  readonly writing: "insert" | "update"
  /** Converts values of other types as PostgreSQL does. */
  readonly coerced: boolean
  /** The columns to read, from the `columns` parameter. */
  readonly columns: ReadonlyArray<string> | undefined
  /** The value of a listed column that the body omits: null, or the default of the column. */
  readonly missing: "default" | "null"
  /** Accepts the key even if the service makes it. */
  readonly withKey: boolean
}

interface Field {
  readonly column: Column.Column
  readonly indexed: boolean
  readonly decode: Decoder.Decoder<unknown>
  /** `true` when its value must be the company of the caller. */
  readonly isOwnCompany: boolean
}

const makeFields = (resource: Resource.Any, rules: RuleSet): ReadonlyMap<string, Field> =>
  new Map(
    Object.entries(Column.schemas(resource, rules)).flatMap(([name, schema]): ReadonlyArray<[string, Field]> => {
      const column = Column.byName(resource).get(name)
      if (column === undefined) return []
      const indexed = IndexedText.isKey(resource, name)
      const isOwnCompany = name === "companyId" && (rules === "public" || resource.rules.ownCompany)
      return [[name, { column, indexed, isOwnCompany, decode: Decoder.make<unknown, unknown>(name, schema) }]]
    })
  )

const fieldsOf: { readonly [R in RuleSet]: (resource: Resource.Any) => ReadonlyMap<string, Field> } = {
  contract: Memo.make((resource) => makeFields(resource, "contract")),
  public: Memo.make((resource) => makeFields(resource, "public"))
}

const showScalar = (column: Column.Column, value: Json): string | undefined => {
  if (typeof value === "string") return Coercion.show(column, value)
  return typeof value === "object" ? undefined : String(value)
}

const explain = (column: Column.Column, value: Json, { issues, subject }: DecodeError.DecodeError): RowError => {
  const [issue] = issues
  const { actual = "another value", expected = "another value", path = [] } = issue ?? {}
  const flaw = typeof value === "string" ? Text.flaw(value) : undefined
  if (flaw !== undefined || expected.includes(Text.description)) {
    return { _tag: "TextFlawed", column: column.name, flaw: flaw ?? "U+0000 or a lone surrogate" }
  }
  if (typeof value === "string" && (column.type === "date" || column.type === "timestamp")) {
    const shown = Coercion.show(column, value)
    const type = Coercion.typeNames[column.type]
    return { _tag: "TextMalformed", problem: Coercion.problemOf(value), type, column: column.name, shown }
  }
  const shown = path.length === 0 && !column.sensitive ? (showScalar(column, value) ?? actual) : actual
  return { _tag: "TypeMismatch", column: [subject, ...path].map(String).join("."), expected, actual: shown }
}

/** The refusal of a value other than null that its column does not accept. */
const refusal = (
  { column, decode, indexed, isOwnCompany }: Field,
  value: Json,
  { caller, rules }: PlanContext
): RowError | undefined => {
  const decoded = decode(value)
  if (Either.isLeft(decoded)) return explain(column, value, decoded.left)
  if (Array.isArray(value)) return VocabularyCheck.refusalOfWrite(column, value, rules)
  if (typeof value !== "string") return undefined
  if (indexed && IndexedText.isTooLong(value)) {
    return { _tag: "TextTooLong", column: column.name, most: IndexedText.most }
  }
  const flaw = column.address ? HttpAddress.flaw(value) : undefined
  if (flaw !== undefined) {
    return { _tag: "TypeMismatch", column: column.name, expected: HttpAddress.description, actual: flaw }
  }
  if (isOwnCompany && value !== caller.companyId) {
    return { _tag: "CompanyForeign", column: column.name, own: caller.companyId }
  }
  return VocabularyCheck.refusalOfWrite(column, value, rules)
}

/** Reads a value of a column that the service sets. A value that no row can have is undefined. */
const readServiceValue = (
  { column, decode }: Field,
  given: Json,
  { coerced }: ValueOptions,
  { rules }: PlanContext
): Json | undefined => {
  const value = coerced ? Coercion.fromJson(column, given, rules) : Either.right(given)
  if (Either.isLeft(value)) return undefined
  return value.right === null || Either.isRight(decode(value.right)) ? value.right : undefined
}

/** Shared by the records without such values, which most are. */
export const none: Values = {}

/** Values without some of them. */
export const without = (values: Values, isOmitted: (name: string) => boolean): Values =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !isOmitted(name)))

/** Reads the values of one record. Without conversions the record has them already, and is not copied. */
export const read = (
  resource: Resource.Any,
  record: JsonObject,
  options: ValueOptions,
  context: PlanContext
): Either.Either<Record, RowError> => {
  const fields = fieldsOf[context.rules](resource)
  const { coerced, columns, missing, withKey, writing } = options
  const copied: { [column: string]: Json } | undefined = coerced || columns !== undefined ? {} : undefined
  let service: { [column: string]: Json } | undefined
  for (const name of columns ?? Object.keys(record)) {
    const field = fields.get(name)
    if (field === undefined) {
      const nearest = Suggestion.find(name, fields.keys())
      return Either.left({ _tag: "FieldUnknown", resource: resource.resource, field: name, nearest })
    }
    if (columns !== undefined && missing !== "null" && !Object.hasOwn(record, name)) continue
    const given = record[name] ?? null
    if (field.column.write === "never" && !(withKey && name === resource.key)) {
      const value = readServiceValue(field, given, options, context)
      if (value === undefined) return Either.left({ _tag: "FieldSetByService", column: name, writing })
      service ??= {}
      service[name] = value
      continue
    }
    let value: Json = given
    if (coerced) {
      const converted = Coercion.fromJson(field.column, given, context.rules)
      if (Either.isLeft(converted)) return Either.left(converted.left)
      value = converted.right
    }
    // A missing value is reported later, together with the other missing values.
    const error = value === null ? undefined : refusal(field, value, context)
    if (error !== undefined) return Either.left(error)
    if (copied !== undefined) copied[name] = value
  }
  if (service === undefined) return Either.right({ values: copied ?? record, service: none })
  return Either.right({ values: copied ?? without(record, (name) => name in service), service })
}

const requiredNames = Memo.make((resource: Resource.Any): ReadonlyArray<string> =>
  Column.fromResource(resource)
    .filter(({ write }) => write === "required")
    .map(({ name }) => name)
)

const missing = ({ resource }: Resource.Any, columns: ReadonlyArray<string>): Either.Either<void, RowError> =>
  columns.length === 0 ? Either.void : Either.left({ _tag: "RequiredMissing", resource, columns })

/** Refuses a new record without a value for a required column. */
export const complete = (resource: Resource.Any, values: Values): Either.Either<void, RowError> =>
  missing(
    resource,
    requiredNames(resource).filter((name) => (values[name] ?? null) === null)
  )

/** Refuses an update that sets a required column to null. It looks at the values, which are fewer than the columns. */
export const unbroken = (resource: Resource.Any, values: Values): Either.Either<void, RowError> => {
  const nulls = Object.keys(values).filter((name) => values[name] === null)
  return nulls.length === 0
    ? Either.void
    : missing(
        resource,
        requiredNames(resource).filter((name) => nulls.includes(name))
      )
}
