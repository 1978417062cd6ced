/** Plans of writes, with the bodies and expectations that their tests share. */
import * as Either from "effect/Either"
import * as RowErrorBody from "../../../src/rows/RowErrorBody.ts"
import type { RowPlan } from "../../../src/rows/plan/RowPlan.ts"
import { type Asking, companyId, plan } from "./plan.ts"

export const holiday = { name: "May Day", date: "2026-05-01", companyId }
export const upserting = (headers: { readonly [name: string]: string } = {}): Asking => ({
  shape: "postgrest",
  headers: { prefer: "resolution=merge-duplicates", ...headers }
})

export const planned = <Tag extends RowPlan["_tag"]>(tag: Tag, method: string, target: string, asking: Asking) => {
  const plan_ = Either.getOrThrow(plan(method, target, asking))
  if (plan_._tag !== tag) throw new Error(`a plan to ${plan_._tag}`)
  // The comparison above establishes the tag.
  return plan_ as Extract<RowPlan, { readonly _tag: Tag }>
}

export const inserted = (target: string, asking: Asking) => planned("Insert", "POST", target, asking).rows
export const set = (target: string, asking: Asking) => planned("Update", "PATCH", target, asking).set

export const refused = (method: string, target: string, asking: Asking) => {
  const refusal = plan(method, target, asking)
  if (Either.isRight(refusal)) throw new Error(`a plan to ${refusal.right._tag}`)
  return refusal.left
}

export const code = (method: string, target: string, asking: Asking): string => {
  const refusal = plan(method, target, asking)
  return Either.isLeft(refusal) ? RowErrorBody.make(refusal.left).code : "none"
}
