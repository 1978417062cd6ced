/**
 * The events that webhooks deliver: each is one change of one row. Sensitive columns are always null.
 */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as Catalogue from "./Catalogue.ts"
import * as Column from "./Column.ts"
import * as Decoder from "./Decoder.ts"
import { CompanyId } from "./Ids.ts"
import * as Json from "./Json.ts"
import * as Memo from "./Memo.ts"
import type { DecodeError } from "./DecodeError.ts"
import type * as Resource from "./Resource.ts"
import type * as Sensitive from "./Sensitive.ts"
import * as Text from "./Text.ts"
import * as Timestamp from "./Timestamp.ts"

/** The headers of a delivery in Standard Webhooks. */
export const headers = {
  id: "webhook-id",
  timestamp: "webhook-timestamp",
  signature: "webhook-signature"
} as const

interface Envelope<Table extends string> {
  readonly table: Table
  readonly companyId: CompanyId
  /** The id of the change, the same in every attempt. */
  readonly eventId: string
  /** The time of the change, the same in every attempt. */
  readonly timestamp: Timestamp.Timestamp
}

/** The event of a created or deleted row. */
export interface InsertOrDelete<Table extends string, A> extends Envelope<Table> {
  readonly type: "INSERT" | "DELETE"
  readonly record: A
}

/** The event of a row that changed from `old` to `record`. */
export interface Update<Table extends string, A> extends Envelope<Table> {
  readonly type: "UPDATE"
  readonly record: A
  readonly old: A
}

/** The body of a delivery. */
export type Body<Table extends string = string, A = Json.JsonObject> = InsertOrDelete<Table, A> | Update<Table, A>

const bodyOf = <A, I>(record: Schema.Schema<A, I>) => {
  const change = <const Type extends string>(type: Type) =>
    Schema.Struct({
      type: Schema.Literal(type),
      table: Text.NonEmpty,
      companyId: CompanyId,
      eventId: Text.NonEmpty,
      timestamp: Timestamp.Timestamp,
      record
    })
  return Schema.Union(change("INSERT"), Schema.Struct({ ...change("UPDATE").fields, old: record }), change("DELETE"))
}

/** The schema of the bodies of all tables. */
export const Body = bodyOf(Json.JsonObject).annotations({ identifier: "WebhookEvent" })

type SensitiveColumn<R extends Resource.Any> = {
  [C in Resource.Column<R>]: R["columns"][C] extends Sensitive.Mark ? C : never
}[Resource.Column<R>]

type Withheld<A, C> = { readonly [K in keyof A]: K extends C ? A[K] | null : A[K] }

/** A row in an event: a sensitive column can be null, also where rows require it. */
export type Row<R extends Resource.Any> = [SensitiveColumn<R>] extends [never]
  ? Resource.Row<R>
  : Withheld<Resource.Row<R>, SensitiveColumn<R>>

/** The schema of the rows in events. */
export const rowSchema = <R extends Resource.Any>(resource: R): Schema.Schema<Row<R>, unknown> => {
  const columns = Column.byName(resource)
  const fields = Object.entries(resource.columns).map(([name, field]) => {
    const column = columns.get(name)
    const withheld = column?.sensitive === true && !column.nullable
    return [name, withheld && Schema.isSchema(field) ? Schema.NullOr(field) : field]
  })
  // The type uses the mark, and the columns the annotation; tests compare the two.
  return Schema.Struct(Object.fromEntries(fields)) as unknown as Schema.Schema<Row<R>, unknown>
}

/** An event of a resource. */
export type ServedEvent<R extends Resource.Any> = { readonly _tag: "Served"; readonly resource: R } & Body<
  R["resource"],
  Row<R>
>

/** An event of a table that is not a resource, with the undecoded row. */
export type UnservedEvent = { readonly _tag: "Unserved" } & Body

/** An event of a resource whose row does not match its type, with the undecoded row. */
export type InvalidEvent = { readonly _tag: "Invalid"; readonly error: DecodeError } & Body

/** An event; distinguish events by `_tag`, then by `table` and `type`. */
export type WebhookEvent = { [N in Catalogue.Name]: ServedEvent<Catalogue.ByName[N]> }[Catalogue.Name] | UnservedEvent

const decodeBody = Decoder.make("WebhookEvent", Body)

// The schema of the resource decodes the rows: only it knows the values that errors have to withhold.
const decodeEnvelope = Decoder.make(
  "WebhookEvent",
  bodyOf(Schema.Record({ key: Schema.String, value: Schema.Unknown }).annotations({ description: "an object" }))
)

const decoderOf = Memo.make((resource: Resource.Any): Decoder.Decoder<unknown> =>
  Decoder.make(resource.resource, rowSchema(resource))
)

const served = (
  resource: Resource.Any,
  body: Body<string, Readonly<Record<string, unknown>>>
): WebhookEvent | InvalidEvent => {
  const decode = decoderOf(resource)
  const rows =
    body.type === "UPDATE"
      ? Either.all({ record: decode(body.record), old: decode(body.old) })
      : Either.all({ record: decode(body.record) })
  return Either.match(rows, {
    // The body was JSON.
    onLeft: (error) => ({ _tag: "Invalid", error, ...body }) as InvalidEvent,
    // The rows were decoded as rows of this resource.
    onRight: (decoded) => ({ _tag: "Served", resource, ...body, ...decoded }) as WebhookEvent
  })
}

/** Decodes the parsed JSON of a delivery, also where its row does not match the type of its resource. */
export const decodeAny = (body: unknown): Either.Either<WebhookEvent | InvalidEvent, DecodeError> =>
  Either.flatMap(decodeEnvelope(body), (envelope) => {
    const resource = Catalogue.find(envelope.table)
    return resource === undefined
      ? Either.map(decodeBody(body), (event) => ({ _tag: "Unserved", ...event }))
      : Either.right(served(resource, envelope))
  })

/**
 * Decodes the parsed JSON of a delivery.
 *
 * @example
 * const event = Either.getOrThrow(WebhookEvent.decode(JSON.parse(body)))
 * if (event._tag === "Served" && event.table === "holiday") console.log(event.record.name)
 */
export const decode = (body: unknown): Either.Either<WebhookEvent, DecodeError> =>
  Either.flatMap(decodeAny(body), (event) =>
    event._tag === "Invalid" ? Either.left(event.error) : Either.right(event)
  )

/** Reports whether an event is of a resource. */
export const isOf =
  <R extends Catalogue.ByName[Catalogue.Name]>(resource: R) =>
  (event: WebhookEvent): event is Extract<WebhookEvent, { readonly resource: R }> =>
    event._tag === "Served" && event.resource === resource
