/**
 * The client under test, its methods as promises that reject with the errors of the client.
 */
import type * as ClientError from "@mfgdata/client/ClientError"
import type * as Promises from "@mfgdata/client/promise"
import type { Rows } from "@mfgdata/client"
import { Holiday } from "@mfgdata/domain"
import * as Cause from "effect/Cause"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Runtime from "effect/Runtime"
import * as Stream from "effect/Stream"

export type HolidayId = Holiday["id"]
export type NewHoliday = typeof Holiday.Create.Type

/** The result of one row of `createMany`. */
interface Created {
  readonly row?: Holiday
  readonly error?: ClientError.WriteError
}

export interface Caller {
  readonly create: (values: NewHoliday) => Promise<Holiday>
  readonly createMany: (values: ReadonlyArray<NewHoliday>) => Promise<ReadonlyArray<Created>>
  readonly update: (id: HolidayId, name: string, ifMatch?: string) => Promise<Holiday>
  readonly modify: (id: HolidayId, change: (name: string) => string) => Promise<Holiday>
  readonly upsert: (values: NewHoliday & { readonly id: HolidayId }) => Promise<Holiday>
  readonly remove: (id: HolidayId, ifMatch?: string) => Promise<void>
  readonly retrieve: (id: HolidayId) => Promise<Holiday>
  readonly find: (id: HolidayId) => Promise<Holiday | undefined>
  readonly list: () => Promise<ReadonlyArray<Holiday>>
  readonly count: () => Promise<number>
  readonly stream: () => Promise<ReadonlyArray<Holiday>>
}

/** Rows of a page; small, so that a stream has several pages. */
const pageSize = 7
/** Rows of a request that creates many. */
const batchSize = 2
const all = { limit: 1000 }

/** The service for Effect, run in a runtime. */
export const fromEffect = (rows: Rows["Type"], runtime: Runtime.Runtime<never>): Caller => {
  const run = async <A, E>(effect: Effect.Effect<A, E>): Promise<A> => {
    const exit = await Runtime.runPromiseExit(runtime)(effect)
    if (Exit.isSuccess(exit)) return exit.value
    throw Cause.squash(exit.cause)
  }
  return {
    create: (values) => run(rows.create(Holiday, values)),
    createMany: (values) =>
      run(
        Effect.map(rows.createMany(Holiday, values, { batchSize }), (results) =>
          results.map(Either.match({ onLeft: (error): Created => ({ error }), onRight: (row): Created => ({ row }) }))
        )
      ),
    update: (id, name, ifMatch) =>
      run(ifMatch === undefined ? rows.update(Holiday, id, { name }) : rows.update(Holiday, id, { name }, { ifMatch })),
    modify: (id, change) => run(rows.modify(Holiday, id, ({ name }) => ({ name: change(name) }))),
    upsert: (values) => run(rows.upsert(Holiday, values)),
    remove: (id, ifMatch) =>
      run(ifMatch === undefined ? rows.remove(Holiday, id) : rows.remove(Holiday, id, { ifMatch })),
    retrieve: (id) => run(rows.retrieve(Holiday, id)),
    find: (id) => run(Effect.map(rows.find(Holiday, id), Option.getOrUndefined)),
    list: () => run(rows.list(Holiday, all)),
    count: () => run(rows.count(Holiday)),
    stream: () => run(Effect.map(Stream.runCollect(rows.stream(Holiday, { pageSize })), Chunk.toReadonlyArray))
  }
}

/** The service for promises. */
export const fromPromises = (rows: Promises.Rows): Caller => ({
  create: (values) => rows.create(Holiday, values),
  createMany: (values) => rows.createMany(Holiday, values, { batchSize }),
  update: (id, name, ifMatch) => rows.update(Holiday, id, { name }, ifMatch === undefined ? {} : { ifMatch }),
  modify: (id, change) => rows.modify(Holiday, id, ({ name }) => ({ name: change(name) })),
  upsert: (values) => rows.upsert(Holiday, values),
  remove: (id, ifMatch) => rows.remove(Holiday, id, ifMatch === undefined ? {} : { ifMatch }),
  retrieve: (id) => rows.retrieve(Holiday, id),
  find: (id) => rows.find(Holiday, id),
  list: () => rows.list(Holiday, all),
  count: () => rows.count(Holiday),
  stream: async () => {
    const found: Array<Holiday> = []
    for await (const row of rows.stream(Holiday, { pageSize })) found.push(row)
    return found
  }
})
