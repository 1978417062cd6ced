/**
 * Declares the administrator's operations on fault rules.
 */
import * as Schema from "effect/Schema"
import * as FaultRule from "./FaultRule.ts"

export const operations = {
  listFaults: {
    method: "GET",
    path: "/faults",
    status: 200,
    request: Schema.Struct({}),
    response: Schema.Array(FaultRule.Fault)
  },
  /** Arms a rule, or all rules of a set at one moment. */
  createFault: {
    method: "POST",
    path: "/faults",
    status: 201,
    request: FaultRule.FaultRequest,
    response: Schema.Union(FaultRule.Fault, Schema.Array(FaultRule.Fault))
  },
  deleteFault: {
    method: "DELETE",
    path: "/faults/:id",
    status: 200,
    request: Schema.Struct({ id: Schema.String }),
    response: FaultRule.Fault
  },
  clearFaults: {
    method: "DELETE",
    path: "/faults",
    status: 200,
    request: Schema.Struct({}),
    response: Schema.Array(FaultRule.Fault)
  }
} as const
