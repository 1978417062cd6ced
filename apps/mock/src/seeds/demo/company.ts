/**
 * The demo's company and its two users, who represent roles.
 */
import type * as Seed from "../Seed.ts"

export const companyId = "demo"
export const userId = "operations"
export const qualityUserId = "quality"

export const companies: Seed.Seed["companies"] = [{ id: companyId, name: "Ridgeline Pump Works" }]

export const users: Seed.Seed["users"] = [
  {
    id: userId,
    companyIds: [companyId],
    email: "operations@ridgeline.example",
    firstName: "Operations",
    lastName: "Desk",
    fullName: "Operations Desk",
    about: "Plans transfers, orders and the shop floor.",
    admin: true,
    developer: true,
    flags: { academy: true }
  },
  {
    id: qualityUserId,
    companyIds: [companyId],
    email: "quality@ridgeline.example",
    firstName: "Quality",
    lastName: "Desk",
    fullName: "Quality Desk",
    about: "Inspects what arrives and what leaves."
  }
]
