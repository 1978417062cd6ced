import * as Schema from "effect/Schema"
import { CompanyId, ItemId, JobId, KanbanId, LocationId, StorageUnitId } from "../Ids.ts"
import { JsonNumber } from "../Json.ts"
import * as Resource from "../Resource.ts"
import { Text } from "../Text.ts"
import { ItemReplenishmentSystem } from "../Vocabularies.ts"

/** A card that triggers the replenishment of an item. */
export class Kanban extends Resource.make("kanban", {
  key: "id",
  required: {
    itemId: ItemId,
    replenishmentSystem: ItemReplenishmentSystem,
    quantity: JsonNumber,
    locationId: LocationId,
    conversionFactor: JsonNumber,
    autoRelease: Schema.Boolean,
    autoStartJob: Schema.Boolean
  },
  optional: {
    storageUnitId: StorageUnitId,
    supplierId: Text,
    purchaseUnitOfMeasureCode: Text,
    completedBarcodeOverride: Text,
    jobId: JobId
  },
  returned: {
    id: KanbanId,
    companyId: CompanyId
  }
}) {}
