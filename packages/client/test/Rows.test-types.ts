import {
  type Conflict,
  Cursor,
  type Forbidden,
  type InvalidRow,
  type PreconditionFailed,
  type QueryRejected,
  type QueryTooCostly,
  type RateLimited,
  type ReferenceMissing,
  type ResponseMalformed,
  type RowNotFound,
  type RowRejected,
  Rows,
  type ServiceUnavailable,
  type StillReferenced,
  type Unauthorized,
  type Unreachable
} from "@mfgdata/client"
import {
  type CalendarDate,
  CompanyId,
  Holiday,
  HolidayId,
  type Json,
  LocationId,
  Query,
  type Resource,
  SalesOrderFavorite,
  type SalesOrderId,
  WarehouseTransfer,
  type WarehouseTransferId,
  WarehouseTransferLine
} from "@mfgdata/domain"
import type { HttpClient } from "@effect/platform/HttpClient"
import type * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Either } from "effect/Either"
import type { ConfigError } from "effect/ConfigError"
import type * as Layer from "effect/Layer"
import type { Option } from "effect/Option"
import type * as Stream from "effect/Stream"

type Equals<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
declare const expect: <_ extends true>() => void
declare const rows: Context.Tag.Service<Rows>
declare const id: WarehouseTransferId
declare const day: CalendarDate.CalendarDate
declare const matching: { readonly ifMatch: string }

type Read = Unauthorized | Forbidden | RateLimited | ServiceUnavailable | Unreachable | ResponseMalformed
type Reading = Read | QueryRejected | QueryTooCostly
type Write = Read | RowRejected | ReferenceMissing | Conflict | QueryTooCostly
type Returned<F extends (...args: never) => unknown> = ReturnType<F>

// the results and errors of each method
const list = () => rows.list(WarehouseTransfer)
expect<Equals<Returned<typeof list>, Effect.Effect<ReadonlyArray<WarehouseTransfer>, Reading>>>()
const count = () => rows.count(WarehouseTransfer, { where: { status: "Draft" } })
expect<Equals<Returned<typeof count>, Effect.Effect<number, Reading>>>()
const retrieve = () => rows.retrieve(WarehouseTransfer, id)
expect<Equals<Returned<typeof retrieve>, Effect.Effect<WarehouseTransfer, Reading | RowNotFound>>>()
const find = () => rows.find(WarehouseTransfer, id)
expect<Equals<Returned<typeof find>, Effect.Effect<Option<WarehouseTransfer>, Reading>>>()
const stream = () => rows.stream(WarehouseTransfer)
expect<Equals<Returned<typeof stream>, Stream.Stream<WarehouseTransfer, Reading>>>()
const create = () => rows.create(Holiday, { name: "x", date: day, companyId: CompanyId.make("c") })
expect<Equals<Returned<typeof create>, Effect.Effect<Holiday, Write>>>()
const createMany = () => rows.createMany(Holiday, [])
expect<Equals<Returned<typeof createMany>, Effect.Effect<ReadonlyArray<Either<Holiday, Write>>>>>()
const update = () => rows.update(WarehouseTransfer, id, { notes: null })
expect<Equals<Returned<typeof update>, Effect.Effect<WarehouseTransfer, Write | RowNotFound | StillReferenced>>>()
const updateMatching = () => rows.update(WarehouseTransfer, id, { notes: null }, matching)
expect<
  Equals<
    Returned<typeof updateMatching>,
    Effect.Effect<WarehouseTransfer, Write | RowNotFound | StillReferenced | PreconditionFailed>
  >
>()
const modify = () => rows.modify(WarehouseTransfer, id, ({ notes }) => ({ notes }))
expect<
  Equals<
    Returned<typeof modify>,
    Effect.Effect<WarehouseTransfer, Write | QueryRejected | RowNotFound | StillReferenced | PreconditionFailed>
  >
>()
const upsert = () =>
  rows.upsert(Holiday, { id: HolidayId.make("h"), name: "x", date: day, companyId: CompanyId.make("c") })
expect<Equals<Returned<typeof upsert>, Effect.Effect<Holiday, Write | StillReferenced>>>()
const remove = () => rows.remove(WarehouseTransfer, id)
expect<
  Equals<
    Returned<typeof remove>,
    Effect.Effect<void, Read | QueryTooCostly | RowRejected | RowNotFound | StillReferenced>
  >
>()
const removeMatching = () => rows.remove(WarehouseTransfer, id, matching)
expect<
  Equals<
    Returned<typeof removeMatching>,
    Effect.Effect<void, Read | QueryTooCostly | RowRejected | RowNotFound | StillReferenced | PreconditionFailed>
  >
>()

// selections
const some = () => rows.list(WarehouseTransfer, { select: ["id", "status"] })
expect<Equals<Effect.Effect.Success<Returned<typeof some>>, ReadonlyArray<Pick<WarehouseTransfer, "id" | "status">>>>()
const nested = () =>
  rows.list(WarehouseTransfer, {
    select: [{ at: "transferDate" }, Query.embed(WarehouseTransferLine, { as: "lines", select: ["quantity"] })]
  })
expect<
  Equals<
    Effect.Effect.Success<Returned<typeof nested>>[number],
    {
      readonly at: CalendarDate.CalendarDate | null
      readonly lines: ReadonlyArray<Pick<WarehouseTransferLine, "quantity">>
    }
  >
>()
const text = () => rows.list(WarehouseTransfer, Query.fromText("select=id"))
expect<Equals<Effect.Effect.Success<Returned<typeof text>>, ReadonlyArray<Json.JsonObject>>>()
const part = () => rows.retrieve(WarehouseTransfer, id, { select: ["id"] })
expect<Equals<Effect.Effect.Success<Returned<typeof part>>, Pick<WarehouseTransfer, "id">>>()
const parts = () => rows.stream(WarehouseTransfer, { select: ["id"], order: ["status"], pageSize: 10 })
expect<Equals<Stream.Stream.Success<Returned<typeof parts>>, Pick<WarehouseTransfer, "id">>>()
const page = () => rows.page(WarehouseTransfer, { select: ["id"], after: Cursor.fromText("") })
expect<Equals<Effect.Effect.Success<Returned<typeof page>>["rows"][number], Pick<WarehouseTransfer, "id">>>()

// keys that are not named id
const favourite = (order: SalesOrderId) => rows.retrieve(SalesOrderFavorite, order)
expect<Equals<Effect.Effect.Success<Returned<typeof favourite>>, SalesOrderFavorite>>()

// the requirements of layers
const layer = Rows.layer({ restUrl: "", apiKey: "" })
expect<Equals<typeof layer, Layer.Layer<Rows, never, HttpClient>>>()
const layerConfig = Rows.layerConfig()
expect<Equals<typeof layerConfig, Layer.Layer<Rows, ConfigError, HttpClient>>>()
const layerFetch = Rows.layerFetch({ restUrl: "", apiKey: "" })
expect<Equals<typeof layerFetch, Layer.Layer<Rows>>>()

// errors of the compiler
// @ts-expect-error an unknown column
rows.list(WarehouseTransfer, { select: ["nope"] })
// @ts-expect-error an unknown column in a tree
rows.list(WarehouseTransfer, { where: Query.or({ statuss: "Draft" }) })
// @ts-expect-error an unknown column in a tree, of a page
rows.page(WarehouseTransfer, { where: Query.or({ statuss: "Draft" }) })
// @ts-expect-error an unknown column in a tree, of a count
rows.count(WarehouseTransfer, { where: Query.or({ statuss: "Draft" }) })
// @ts-expect-error a text selects no row by its key
rows.retrieve(WarehouseTransfer, id, Query.fromText("select=id"))
// @ts-expect-error an unknown option
rows.list(WarehouseTransfer, { wher: {} })
// @ts-expect-error an id of another resource
rows.retrieve(WarehouseTransfer, LocationId.make("l"))
// @ts-expect-error a field that the service sets
rows.update(WarehouseTransfer, id, { createdAt: "2026-01-01T00:00:00Z" })
// @ts-expect-error a required field is missing
rows.create(Holiday, { name: "x" })
// @ts-expect-error an upsert without the key
rows.upsert(Holiday, { name: "x", date: day, companyId: CompanyId.make("c") })
// @ts-expect-error pages are ordered by columns of the resource itself
rows.page(WarehouseTransferLine, { order: [Query.through("warehouseTransfer", Query.asc("status"))] })
// @ts-expect-error a string is not a cursor
rows.page(WarehouseTransfer, { after: "x" })
// @ts-expect-error a stream has no offset
rows.stream(WarehouseTransfer, { offset: 3 })

// generic code
const every = <R extends Resource.Any>(resource: R) => rows.list(resource)
const holidays = () => every(Holiday)
expect<Equals<Effect.Effect.Success<Returned<typeof holidays>>, ReadonlyArray<Holiday>>>()
const any = (resource: Resource.Any) => rows.list(resource, { select: [Query.embed(Holiday)], where: { a: 1 } })
expect<Equals<Effect.Effect.Error<Returned<typeof any>>, Reading>>()

// rows that do not match their type, and unknown columns
type Kept<A> = Either<A, InvalidRow>
const keptList = () => rows.list(Holiday, { onInvalid: "keep" })
expect<Equals<Effect.Effect.Success<Returned<typeof keptList>>, ReadonlyArray<Kept<Holiday>>>>()
const keptPart = () => rows.page(Holiday, { select: ["id"], onInvalid: "keep" })
expect<Equals<Effect.Effect.Success<Returned<typeof keptPart>>["rows"], ReadonlyArray<Kept<Pick<Holiday, "id">>>>>()
const keptStream = () => rows.stream(Holiday, { onInvalid: "keep", extra: true })
expect<
  Equals<Stream.Stream.Success<Returned<typeof keptStream>>, Kept<Holiday & { readonly extra: Json.JsonObject }>>
>()
const keptOption = () => rows.find(WarehouseTransfer, id, { onInvalid: "keep" })
expect<Equals<Effect.Effect.Success<Returned<typeof keptOption>>, Option<Kept<WarehouseTransfer>>>>()
const keptRow = () => rows.retrieve(WarehouseTransfer, id, { onInvalid: "keep" })
expect<Equals<Effect.Effect.Success<Returned<typeof keptRow>>, Kept<WarehouseTransfer>>>()
const skipped = () => rows.list(Holiday, { onInvalid: "skip" })
expect<Equals<Effect.Effect.Success<Returned<typeof skipped>>, ReadonlyArray<Holiday>>>()
const extra = () => rows.retrieve(WarehouseTransfer, id, { extra: true })
expect<Equals<Effect.Effect.Success<Returned<typeof extra>>["extra"], Json.JsonObject>>()
expect<Equals<Extract<keyof Effect.Effect.Success<Returned<typeof retrieve>>, "extra">, never>>()
// @ts-expect-error no such handling
rows.list(Holiday, { onInvalid: "drop" })
// @ts-expect-error a write has no rows to keep
rows.update(WarehouseTransfer, id, {}, { onInvalid: "keep" })
