/**
 * The difference between two services that were sent the same requests: one finding, the place where it was seen, and
 * its consequence for applications.
 */
import * as Json from "@mfgdata/domain/Json"
import * as Schema from "effect/Schema"

const optional = { exact: true } as const

/** The types of JSON values. */
export const JsonType = Schema.Literal("null", "string", "number", "boolean", "array", "object")
export type JsonType = typeof JsonType.Type

/** The types of a column's values that are not null, those of the elements of its arrays, and nullability. */
export const ColumnForm = Schema.Struct({
  types: Schema.Array(JsonType),
  elements: Schema.optionalWith(Schema.Array(JsonType), optional),
  nullable: Schema.Boolean
})
export type ColumnForm = typeof ColumnForm.Type

/** The body of a response: one JSON value by its type, no body, or a text that is not JSON. */
export const BodyForm = Schema.Literal("object", "array", "null", "string", "number", "boolean", "empty", "text")
export type BodyForm = typeof BodyForm.Type

const Words = Schema.Array(Schema.String)
const sides = <A, I>(value: Schema.Schema<A, I>) => ({ ours: value, theirs: value })

/** A column that one side lacks (null), or whose values have other types: class shape. */
export const ColumnDiffers = Schema.TaggedStruct("ColumnDiffers", {
  column: Schema.String,
  ...sides(Schema.NullOr(ColumnForm))
})

/** A body of another form, such as an array in place of an object: class shape. */
export const BodyDiffers = Schema.TaggedStruct("BodyDiffers", sides(BodyForm))

/** Values of a vocabulary that the other side holds, and that are not known words: class vocabulary. */
export const VocabularyDiffers = Schema.TaggedStruct("VocabularyDiffers", {
  column: Schema.String,
  vocabulary: Schema.String,
  /** The values seen on each side that are not among the known words. */
  ...sides(Words)
})

export const StatusDiffers = Schema.TaggedStruct("StatusDiffers", sides(Schema.Number))

/** A header that one side lacks (null), or whose value has another form (numbers and keys replaced): class header. */
export const HeaderDiffers = Schema.TaggedStruct("HeaderDiffers", {
  header: Schema.String,
  ...sides(Schema.NullOr(Schema.String))
})

/** Another `code` in the body of an error: class error. */
export const CodeDiffers = Schema.TaggedStruct("CodeDiffers", sides(Schema.NullOr(Schema.String)))

/** Other fields in the body of an error, each with the type of its value: class error. */
export const ErrorFieldsDiffer = Schema.TaggedStruct(
  "ErrorFieldsDiffer",
  sides(Schema.NullOr(Schema.Record({ key: Schema.String, value: JsonType })))
)

/** Another text in a field of the body of an error, with the values of the request replaced: class error. */
export const ErrorTextDiffers = Schema.TaggedStruct("ErrorTextDiffers", {
  field: Schema.String,
  ...sides(Schema.NullOr(Schema.String))
})

/** Rows in another order, such as `nulls first` and `nulls last`: class order. */
export const OrderDiffers = Schema.TaggedStruct("OrderDiffers", {
  column: Schema.String,
  ...sides(Schema.String)
})

/** Another number of rows for a filter, or other columns than the selected ones: class result. */
export const ResultDiffers = Schema.TaggedStruct("ResultDiffers", {
  aspect: Schema.Literal("rows", "selected"),
  ...sides(Schema.String)
})

/** A timestamp, date or number in another form, such as `+00:00` and `Z`: class form. */
export const FormDiffers = Schema.TaggedStruct("FormDiffers", {
  column: Schema.String,
  ...sides(Words)
})

/** Another value of a column that the request left out: class default. */
export const DefaultDiffers = Schema.TaggedStruct("DefaultDiffers", {
  column: Schema.String,
  ...sides(Json.Json)
})

export const ConstraintKind = Schema.Literal("required", "unique", "reference", "vocabulary", "type", "writable")
export type ConstraintKind = typeof ConstraintKind.Type

/** A rule that one side enforces and the other does not: class constraint. */
export const ConstraintDiffers = Schema.TaggedStruct("ConstraintDiffers", {
  constraint: ConstraintKind,
  columns: Words,
  ...sides(Schema.Boolean)
})

export const Finding = Schema.Union(
  ColumnDiffers,
  BodyDiffers,
  VocabularyDiffers,
  StatusDiffers,
  HeaderDiffers,
  CodeDiffers,
  ErrorFieldsDiffer,
  ErrorTextDiffers,
  OrderDiffers,
  ResultDiffers,
  FormDiffers,
  DefaultDiffers,
  ConstraintDiffers
)
export type Finding = typeof Finding.Type

export const Class = Schema.Literal(
  "shape",
  "vocabulary",
  "status",
  "header",
  "error",
  "order",
  "result",
  "form",
  "default",
  "constraint"
)
export type Class = typeof Class.Type

/** The consequences for applications, the worst first. */
export const verdicts = ["breaks-types", "breaks-errors", "visible", "cosmetic"] as const
export const Verdict = Schema.Literal(...verdicts)
export type Verdict = typeof Verdict.Type

/** A request and its response, without secrets. */
export const Exchange = Schema.Struct({
  request: Schema.Struct({
    method: Schema.String,
    target: Schema.String,
    headers: Schema.Record({ key: Schema.String, value: Schema.String }),
    body: Schema.NullOr(Schema.String)
  }),
  response: Schema.Struct({
    status: Schema.Number,
    headers: Schema.Record({ key: Schema.String, value: Schema.String }),
    body: Schema.String
  })
})
export type Exchange = typeof Exchange.Type

export const Difference = Schema.Struct({
  class: Class,
  verdict: Verdict,
  finding: Finding,
  message: Schema.String,
  /** The first resource with the difference, an operation such as `account.getAccount`, or `service`. */
  subject: Schema.String,
  verb: Schema.String,
  /** The first probe with the difference, such as `list.limit`: the situation in which it was seen. */
  probe: Schema.String,
  /** The probes with the difference, by resource or operation. */
  places: Schema.Record({ key: Schema.String, value: Words }),
  /** The number of probes with the difference, and of those in which it could have been. */
  seen: Schema.Struct({ times: Schema.Number, of: Schema.Number }),
  /** The exchanges of the first probe with the difference. */
  exchanges: Schema.Struct({ ours: Schema.NullOr(Exchange), theirs: Schema.NullOr(Exchange) }),
  /** The smallest request that shows the difference, to the other service. */
  curl: Schema.String
})
export type Difference = typeof Difference.Type

const classes: { readonly [Tag in Finding["_tag"]]: Class } = {
  ColumnDiffers: "shape",
  BodyDiffers: "shape",
  VocabularyDiffers: "vocabulary",
  StatusDiffers: "status",
  HeaderDiffers: "header",
  CodeDiffers: "error",
  ErrorFieldsDiffer: "error",
  ErrorTextDiffers: "error",
  OrderDiffers: "order",
  ResultDiffers: "result",
  FormDiffers: "form",
  DefaultDiffers: "default",
  ConstraintDiffers: "constraint"
}

/** The class of a finding. */
export const classOf = ({ _tag }: Finding): Class => classes[_tag]
