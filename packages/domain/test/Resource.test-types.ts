import type { CalendarDate } from "../src/CalendarDate.ts"
import type * as Catalogue from "../src/Catalogue.ts"
import type * as Column from "../src/Column.ts"
import * as Decoder from "../src/Decoder.ts"
import { CompanyId, LocationId } from "../src/Ids.ts"
import type * as Ids from "../src/Ids.ts"
import type { JsonObject } from "../src/Json.ts"
import type * as DecodeError from "../src/DecodeError.ts"
import * as Resource from "../src/Resource.ts"
import type { Holiday } from "../src/resources/Holiday.ts"
import type { OauthCode } from "../src/resources/OauthCode.ts"
import type { SalesOrderFavorite } from "../src/resources/SalesOrderFavorite.ts"
import type { TrackedActivityOutput } from "../src/resources/TrackedActivityOutput.ts"
import { WarehouseTransfer } from "../src/resources/WarehouseTransfer.ts"
import type { Webhook } from "../src/resources/Webhook.ts"
import type { WebhookTable } from "../src/resources/WebhookTable.ts"
import { Text } from "../src/Text.ts"
import type { Timestamp } from "../src/Timestamp.ts"
import type * as Vocabularies from "../src/Vocabularies.ts"
import type * as Either from "effect/Either"

type Equals<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
declare const expect: <_ extends true>() => void

const companyId = CompanyId.make("c1")
const locationId = LocationId.make("l1")

// a row: required as it is, optional nullable, returned present, ids branded
declare const row: WarehouseTransfer
expect<Equals<WarehouseTransfer, Resource.Row<typeof WarehouseTransfer>>>()
expect<Equals<typeof row.id, Ids.WarehouseTransferId>>()
expect<Equals<typeof row.transferId, string>>()
expect<Equals<typeof row.fromLocationId, LocationId>>()
expect<Equals<typeof row.status, Vocabularies.WarehouseTransferStatus>>()
expect<Equals<typeof row.transferDate, CalendarDate | null>>()
expect<Equals<typeof row.notes, string | null>>()
expect<Equals<typeof row.customFields, JsonObject | null>>()
expect<Equals<typeof row.tags, ReadonlyArray<string> | null>>()
expect<Equals<typeof row.createdAt, Timestamp>>()
expect<Equals<Holiday["updatedBy"], Ids.UserId | null>>()
expect<Equals<Holiday["year"], number | null>>()
expect<Equals<Webhook["active"], boolean>>()
expect<Equals<keyof SalesOrderFavorite, "salesOrderId" | "userId">>()
// @ts-expect-error rows are read only
row.notes = "changed"
// @ts-expect-error no such field
void row.updatedAt

// ids are not interchangeable, nor is a text an id
// @ts-expect-error a location is not a company
const company: CompanyId = row.fromLocationId
// @ts-expect-error the two keys of a client differ
const client: Ids.OauthClientIdentifier = undefined as unknown as Ids.OauthClientId
// @ts-expect-error a text is not an id without make
const user: Ids.UserId = "u1"
const text: string = locationId

// the columns, and the keys that are not `id`
expect<Equals<Resource.Column<typeof SalesOrderFavorite>, "salesOrderId" | "userId">>()
expect<Equals<Resource.Key<typeof WarehouseTransfer>, Ids.WarehouseTransferId>>()
expect<Equals<Resource.Key<typeof SalesOrderFavorite>, Ids.SalesOrderId>>()
expect<Equals<Resource.Key<typeof TrackedActivityOutput>, Ids.TrackedActivityId>>()
expect<Equals<Resource.Key<typeof WebhookTable>, Ids.WebhookTableName>>()
expect<Equals<Webhook["table"], Resource.Key<typeof WebhookTable>>>()
expect<Equals<OauthCode["clientId"], Ids.OauthClientIdentifier>>()

// a create: required fields, optional ones absent or null, a vocabulary's value written bare
const create: Resource.Create<typeof WarehouseTransfer> = {
  transferId: "WT000001",
  fromLocationId: locationId,
  toLocationId: locationId,
  status: "Draft",
  companyId,
  notes: null
}
const unknownStatus: Resource.Create<typeof WarehouseTransfer> = { ...create, status: "On Hold" }
// @ts-expect-error the service sets it
const withId: Resource.Create<typeof WarehouseTransfer> = { ...create, id: row.id }
// @ts-expect-error null is not a value of a required field
const withNull: Resource.Create<typeof WarehouseTransfer> = { ...create, transferId: null }
// @ts-expect-error an optional field is left out, not undefined
const withUndefined: Resource.Create<typeof WarehouseTransfer> = { ...create, notes: undefined }
const withTags: Resource.Create<typeof WarehouseTransfer> = { ...create, tags: ["a"] }
// @ts-expect-error the elements of an array are known to be text
const withNumbers: Resource.Create<typeof WarehouseTransfer> = { ...create, tags: [1] }
// @ts-expect-error a number is not a status
const withNumber: Resource.Create<typeof WarehouseTransfer> = { ...create, status: 1 }
// @ts-expect-error required fields are missing
const short: Resource.Create<typeof WarehouseTransfer> = { transferId: "WT000001" }
// @ts-expect-error not a day until made one
const withText: Resource.Create<typeof WarehouseTransfer> = { ...create, transferDate: "2026-01-31" }
const favorite: Resource.Create<typeof SalesOrderFavorite> = { salesOrderId: undefined as unknown as Ids.SalesOrderId }

// an update: any subset, null clears what is optional
const updates: ReadonlyArray<Resource.Update<typeof WarehouseTransfer>> = [{}, { status: "Completed" }, { notes: null }]
// @ts-expect-error null is not a value of a required field
const cleared: Resource.Update<typeof WarehouseTransfer> = { status: null }
// @ts-expect-error the key is not written
const moved: Resource.Update<typeof WarehouseTransfer> = { id: row.id }

// a vocabulary offers its values and takes any text
expect<Equals<Extract<Vocabularies.FulfillmentType, "Inventory" | "Job">, "Inventory" | "Job">>()
const known: ReadonlyArray<"Inventory" | "Job"> = undefined as unknown as typeof Vocabularies.FulfillmentType.known
const other: Vocabularies.FulfillmentType = "Consignment"

// the catalogue
expect<Equals<Catalogue.ByName["warehouseTransfer"], typeof WarehouseTransfer>>()
const name: Catalogue.Name = "webhookTable"
// @ts-expect-error no such resource
const noName: Catalogue.Name = "company"

// generic code gives back what the resource holds
expect<
  Equals<ReturnType<Decoder.Decoder<WarehouseTransfer>>, Either.Either<WarehouseTransfer, DecodeError.DecodeError>>
>()
const decodeRow = Decoder.row(WarehouseTransfer)
expect<Equals<typeof decodeRow, Decoder.Decoder<WarehouseTransfer>>>()
const decodeUpdate = Decoder.update(WarehouseTransfer)
expect<Equals<typeof decodeUpdate, Decoder.Decoder<Resource.Update<typeof WarehouseTransfer>>>>()
const picked = Resource.pick(WarehouseTransfer, ["id", "status"])
expect<Equals<typeof picked.Type, Pick<WarehouseTransfer, "id" | "status">>>()
// @ts-expect-error no such column
Resource.pick(WarehouseTransfer, ["nope"])
expect<Equals<Column.Column["write"], "required" | "optional" | "never">>()

// @ts-expect-error a key is one of the fields
Resource.make("box", { key: "nope", required: { label: Text }, returned: {} })

// @ts-expect-error a row cannot be constructed
void new WarehouseTransfer({})

void [company, client, user, text, create, unknownStatus, withId, withNull, withUndefined, withNumber, short, withText]
void [withTags, withNumbers, favorite, updates, cleared, moved, known, other, name, noName]
