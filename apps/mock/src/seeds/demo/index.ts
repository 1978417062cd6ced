/**
 * The demo seed: a small pump maker with a plant, a depot at the harbour, and the first months of a year on its books.
 */
import type * as Seed from "../Seed.ts"
import * as Accounting from "./accounting.ts"
import { attributes } from "./attributes.ts"
import { companies, users } from "./company.ts"
import * as Inventory from "./inventory.ts"
import * as Production from "./production.ts"
import * as Purchasing from "./purchasing.ts"
import * as Quality from "./quality.ts"
import * as Sales from "./sales.ts"
import * as Integrations from "./integrations.ts"

export const demo: Seed.Seed = {
  companies,
  users,
  attributes,
  rows: {
    ...Accounting.rows,
    ...Inventory.rows,
    ...Production.rows,
    ...Purchasing.rows,
    ...Quality.rows,
    ...Sales.rows,
    ...Integrations.rows
  }
}
