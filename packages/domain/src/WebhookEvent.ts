/**
 * What a webhook delivers: one change of one row. Sensitive columns are null in events, whatever the row holds.
 */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as Catalogue from "./Catalogue.ts"
import * as Column from "./Column.ts"
import * as Decoder from "./Decoder.ts"
import { CompanyId } from "./Ids.ts"
import * as Json from "./Json.ts"
import type { DecodeError } from "./DecodeError.ts"
import type * as Resource from "./Resource.ts"
import type * as Sensitive from "./Sensitive.ts"
import * as Text from "./Text.ts"

/** The headers of a delivery, named by Standard Webhooks. */
export const headers = {
  id: "webhook-id",
  timestamp: "webhook-timestamp",
  signature: "webhook-signature"
} as const

interface Envelope<Table extends string> {
  readonly table: Table
  readonly companyId: CompanyId
  /** The same in every attempt to deliver this change, and in no other change. */
  readonly eventId: string
}

/** A row appeared or is gone: `record` is what it became, or what it last was. */
export interface Whole<Table extends string, A> extends Envelope<Table> {
  readonly type: "INSERT" | "DELETE"
  readonly record: A
}

/** A row changed from `old` to `record`. */
export interface Changed<Table extends string, A> extends Envelope<Table> {
  readonly type: "UPDATE"
  readonly record: A
  readonly old: A
}

/** The body of a delivery: a change of a row of some table. */
export type Body<Table extends string = string, A = Json.JsonObject> = Whole<Table, A> | Changed<Table, A>

const bodyOf = <A, I>(record: Schema.Schema<A, I>) => {
  const change = <const Type extends string>(type: Type) =>
    Schema.Struct({
      type: Schema.Literal(type),
      table: Text.NonEmpty,
      companyId: CompanyId,
      eventId: Text.NonEmpty,
      record
    })
  return Schema.Union(change("INSERT"), Schema.Struct({ ...change("UPDATE").fields, old: record }), change("DELETE"))
}

/** The body as it travels, whatever its table. */
export const Body = bodyOf(Json.JsonObject).annotations({ identifier: "WebhookEvent" })

type SensitiveColumn<R extends Resource.Any> = {
  [C in Resource.Column<R>]: R["columns"][C] extends Sensitive.Mark ? C : never
}[Resource.Column<R>]

type Withheld<A, C> = { readonly [K in keyof A]: K extends C ? A[K] | null : A[K] }

/** A row as events show it: a sensitive column may be null, also where the row requires it. */
export type Row<R extends Resource.Any> = [SensitiveColumn<R>] extends [never]
  ? Resource.Row<R>
  : Withheld<Resource.Row<R>, SensitiveColumn<R>>

/** The schema of rows as events show them. */
export const rowSchema = <R extends Resource.Any>(resource: R): Schema.Schema<Row<R>, unknown> => {
  const columns = Column.byName(resource)
  const fields = Object.entries(resource.columns).map(([name, field]) => {
    const column = columns.get(name)
    const withheld = column?.sensitive === true && !column.nullable
    return [name, withheld && Schema.isSchema(field) ? Schema.NullOr(field) : field]
  })
  // What the type reads off the mark, the columns read off the annotation; the tests of both hold them together.
  return Schema.Struct(Object.fromEntries(fields)) as unknown as Schema.Schema<Row<R>, unknown>
}

/** A change of a row of a served resource. */
export type Served<R extends Resource.Any> = { readonly _tag: "Served"; readonly resource: R } & Body<
  R["resource"],
  Row<R>
>

/** A change in a table that is no resource of this interface, passed on as it came. */
export type Unserved = { readonly _tag: "Unserved" } & Body

/** A change, told apart by `_tag`, then by `table` and by `type`. */
export type WebhookEvent = { [N in Catalogue.Name]: Served<Catalogue.ByName[N]> }[Catalogue.Name] | Unserved

const decodeBody = Decoder.make("WebhookEvent", Body)

// The rows are left to the resource's own schema: it alone knows what its errors must not show.
const decodeEnvelope = Decoder.make(
  "WebhookEvent",
  bodyOf(Schema.Record({ key: Schema.String, value: Schema.Unknown }).annotations({ description: "an object" }))
)

const decoders = new Map<Resource.Any, Decoder.Decoder<unknown>>()

const decoderOf = (resource: Resource.Any): Decoder.Decoder<unknown> => {
  const decoder = decoders.get(resource) ?? Decoder.make(resource.resource, rowSchema(resource))
  decoders.set(resource, decoder)
  return decoder
}

const served = (
  resource: Resource.Any,
  body: Body<string, Readonly<Record<string, unknown>>>
): Either.Either<WebhookEvent, DecodeError> => {
  const decode = decoderOf(resource)
  const rows =
    body.type === "UPDATE"
      ? Either.all({ record: decode(body.record), old: decode(body.old) })
      : Either.all({ record: decode(body.record) })
  // The rows were decoded as those of the resource that stands beside them.
  return Either.map(rows, (decoded) => ({ _tag: "Served", resource, ...body, ...decoded }) as WebhookEvent)
}

/**
 * Reads the body of a delivery, once it is parsed as JSON.
 *
 * @example
 * const event = Either.getOrThrow(WebhookEvent.decode(JSON.parse(body)))
 * if (event._tag === "Served" && event.table === "holiday") console.log(event.record.name)
 */
export const decode = (body: unknown): Either.Either<WebhookEvent, DecodeError> =>
  Either.flatMap(decodeEnvelope(body), (envelope) => {
    const resource = Catalogue.find(envelope.table)
    return resource === undefined
      ? Either.map(decodeBody(body), (whole) => ({ _tag: "Unserved", ...whole }))
      : served(resource, envelope)
  })

/** Whether an event is a change of a row of a resource. */
export const isOf =
  <R extends Catalogue.ByName[Catalogue.Name]>(resource: R) =>
  (event: WebhookEvent): event is Extract<WebhookEvent, { readonly resource: R }> =>
    event._tag === "Served" && event.resource === resource
