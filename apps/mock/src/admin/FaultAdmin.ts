/**
 * Implements the administrator's operations on fault rules.
 */
import type * as AdminApi from "@mfgdata/client/AdminApi"
import * as Timestamp from "@mfgdata/domain/Timestamp"
import * as Effect from "effect/Effect"
import type { Faults } from "../faults/Faults.ts"
import type { World } from "../world/World.ts"
import { AdminRefused } from "./AdminRefused.ts"
import type * as WorldAdmin from "./WorldAdmin.ts"

type Operation = "listFaults" | "createFault" | "deleteFault" | "clearFaults"

const notServed = Effect.fail(
  new AdminRefused({ code: "CONFLICT", message: "faults are rules of a running service: start it with mfg-mock serve" })
)

const unserved: Pick<AdminApi.Service<AdminRefused>, Operation> = {
  listFaults: () => notServed,
  createFault: () => notServed,
  deleteFault: () => notServed,
  clearFaults: () => notServed
}

/** The reason for which a rule would never fire in a world, or be of no effect. */
const problemOf = (
  { stale, until }: AdminApi.FaultRule,
  { now, store }: Pick<World["Type"], "now" | "store">
): AdminRefused | undefined =>
  until !== undefined && Timestamp.toDateTime(until).epochMillis <= now()
    ? new AdminRefused({
        code: "BAD_REQUEST",
        message: `the rule can never fire: until is ${until}, and the clock of the service is past it`
      })
    : stale !== undefined && store.history === undefined
      ? new AdminRefused({
          code: "CONFLICT",
          message: "stale reads need the history of the rows: start the service with --history on"
        })
      : undefined

const setMissing = (set: string, names: ReadonlyArray<string>) =>
  new AdminRefused({
    code: "NOT_FOUND",
    message: `there is no set ${JSON.stringify(set)} of fault rules: expected one of ${names.join(", ")}`
  })

/** The operations on the faults of a world, and by the match of a rule of others; undefined without a running service. */
export const make = (
  faults: Faults | undefined,
  world: Pick<World["Type"], "now" | "store">,
  worlds: Pick<WorldAdmin.Worlds, "use"> | undefined
): Pick<AdminApi.Service<AdminRefused>, Operation> =>
  faults === undefined
    ? unserved
    : {
        listFaults: () => Effect.sync(faults.list),
        createFault: (request) => {
          const { set, ...rule } = request
          const { names, setOf } = faults.sets
          const name = rule.match?.world
          if (name !== undefined && name !== faults.world && worlds !== undefined) {
            return worlds.use(name, (admin) => admin.createFault(request))
          }
          if (set !== undefined) {
            const rules = setOf(set)
            return rules === undefined ? Effect.fail(setMissing(set, names)) : Effect.sync(() => faults.arm(rules))
          }
          const problem = problemOf(rule, world)
          return problem === undefined ? Effect.sync(() => faults.arm([rule])[0] ?? []) : Effect.fail(problem)
        },
        deleteFault: ({ id }) =>
          Effect.suspend(() => {
            const fault = faults.disarm(id)
            return fault === undefined
              ? Effect.fail(
                  new AdminRefused({ code: "NOT_FOUND", message: `there is no fault rule ${JSON.stringify(id)}` })
                )
              : Effect.succeed(fault)
          }),
        clearFaults: () => Effect.sync(faults.clear)
      }
