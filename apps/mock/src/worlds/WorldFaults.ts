/**
 * Arms and disarms the fault rules of a test's world. A rule that is not accepted is a defect of the test.
 */
import type * as AdminApi from "@mfgdata/client/AdminApi"
import * as Effect from "effect/Effect"

export interface WorldFaults {
  /**
   * Arms a rule, or all rules of a ready set by its name.
   *
   * @example
   * world.faults.arm({ match: { method: "POST" }, reset: "after-commit", times: 1 })
   */
  readonly arm: (rule: AdminApi.FaultRule | string) => Effect.Effect<ReadonlyArray<AdminApi.Fault>>
  /** The armed rules, each with the number of requests that it has matched, and on which it has fired. */
  readonly list: Effect.Effect<ReadonlyArray<AdminApi.Fault>>
  /** Disarms all rules. */
  readonly clear: Effect.Effect<void>
}

type Operations<E> = Pick<AdminApi.Service<E>, "createFault" | "listFaults" | "clearFaults">

/** The faults of a world, by the operations of its administrator. */
export const make = <E>(admin: () => Operations<E>): WorldFaults => ({
  arm: (rule) =>
    Effect.suspend(() => admin().createFault(typeof rule === "string" ? { set: rule } : rule)).pipe(
      Effect.map((armed) => ("id" in armed ? [armed] : armed)),
      Effect.orDie
    ),
  list: Effect.orDie(Effect.suspend(() => admin().listFaults({}))),
  clear: Effect.orDie(Effect.asVoid(Effect.suspend(() => admin().clearFaults({}))))
})
