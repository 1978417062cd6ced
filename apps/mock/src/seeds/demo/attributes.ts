/** The user attributes of the demo: a public category, one for the office, and an inactive one. */
import type * as Seed from "../Seed.ts"
import { companyId, qualityUserId, userId } from "./company.ts"

export const attributes: NonNullable<Seed.Seed["attributes"]> = [
  {
    id: "uatc_work",
    companyId,
    name: "At work",
    emoji: "🛠️",
    public: true,
    attributes: [
      {
        id: "uatr_shift",
        name: "Shift",
        type: "text",
        listOptions: ["Early", "Late", "Night"],
        canSelfManage: true,
        values: [
          { id: "uatv_shift_operations", userId, value: "Early" },
          { id: "uatv_shift_quality", userId: qualityUserId, value: "Late" }
        ]
      },
      {
        id: "uatr_first_aid",
        name: "First aider",
        type: "boolean",
        canSelfManage: true,
        values: [{ id: "uatv_first_aid_operations", userId, value: true }]
      },
      {
        id: "uatr_deputy",
        name: "Deputy",
        type: "user",
        canSelfManage: true,
        values: [{ id: "uatv_deputy_operations", userId, value: qualityUserId }]
      },
      { id: "uatr_desk", name: "Desk", type: "text", canSelfManage: true },
      { id: "uatr_pager", name: "Pager", type: "text", active: false }
    ]
  },
  {
    id: "uatc_accounts",
    companyId,
    name: "Accounts looked after",
    public: true,
    attributes: [
      {
        id: "uatr_customer",
        name: "Main customer",
        type: "text",
        values: [{ id: "uatv_customer_operations", userId, value: "cust_shipyard" }]
      },
      { id: "uatr_supplier", name: "Main supplier", type: "text" }
    ]
  },
  {
    id: "uatc_employment",
    companyId,
    name: "Employment",
    emoji: "📄",
    public: false,
    attributes: [
      {
        id: "uatr_start",
        name: "First day",
        type: "date",
        values: [
          { id: "uatv_start_operations", userId, value: "2019-09-02" },
          { id: "uatv_start_quality", userId: qualityUserId, value: "2021-04-01" }
        ]
      },
      {
        id: "uatr_hours",
        name: "Hours a week",
        type: "numeric",
        values: [{ id: "uatv_hours_operations", userId, value: 37.5 }]
      },
      {
        id: "uatr_contract",
        name: "Contract",
        type: "file",
        values: [{ id: "uatv_contract_operations", userId, value: "people/operations/contract.pdf" }]
      }
    ]
  },
  { id: "uatc_training", companyId, name: "Training", public: false, attributes: [] },
  {
    id: "uatc_archive",
    companyId,
    name: "Archive",
    public: true,
    active: false,
    attributes: [{ id: "uatr_locker", name: "Locker", type: "text" }]
  }
]
