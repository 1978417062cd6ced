import { type CallOptions, type CallResponse, Cursor, type QueryError, type RowNotFound, Rows } from "@mfgdata/client"
import { Holiday, type HolidayId, JournalLine, Query, Timestamp, WorkCenterShift } from "@mfgdata/domain"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type * as Stream from "effect/Stream"

type Equals<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
declare const expect: <_ extends true>() => void
declare const rows: Context.Tag.Service<Rows>
declare const id: HolidayId
declare const line: JournalLine

// every method has the options of the call as its last parameter
type Last<P extends ReadonlyArray<unknown>> =
  Required<P> extends readonly [...ReadonlyArray<unknown>, infer L] ? L : never
type Options = { readonly [M in keyof typeof rows]: Last<Parameters<(typeof rows)[M]>> }
expect<Equals<Options, { readonly [M in keyof typeof rows]: CallOptions }>>()

rows.list(Holiday, {}, { timeout: "2 seconds", retry: Schedule.recurs(2), headers: { a: "b" }, spans: false })
// @ts-expect-error an unknown option
rows.list(Holiday, {}, { timeOut: 1 })
// @ts-expect-error the options of a call are not those of a query
rows.list(Holiday, { timeout: 1 })
// @ts-expect-error a schedule that needs another input
rows.list(Holiday, {}, { retry: Schedule.recurWhile((text: string) => text === "") })

// regions keep the type of their effect
const find = rows.find(Holiday, id)
const region = Rows.withOptions(find, { timeout: 1 })
expect<Equals<typeof region, typeof find>>()
const piped = find.pipe(Rows.withOptions({ timeout: 1 }), (effect) => Rows.cached(effect))
expect<Equals<typeof piped, typeof find>>()
const responded = Rows.withResponse(rows.retrieve(Holiday, id))
expect<Equals<Effect.Effect.Success<typeof responded>["value"], Holiday>>()
expect<Equals<Effect.Effect.Success<typeof responded>["response"], CallResponse | undefined>>()
expect<Equals<Effect.Effect.Error<typeof responded>, QueryError | RowNotFound>>()
Effect.catchTag(responded, "RowNotFound", ({ requestId }) => Effect.succeed(requestId?.length))

// changes
const since = Timestamp.make("2026-01-01T00:00:00Z")
const changes = Rows.changes(WorkCenterShift, { since, by: "updatedAt" })
expect<Equals<typeof changes, Stream.Stream<WorkCenterShift, QueryError, Rows>>>()
// @ts-expect-error a column without a time
Rows.changes(WorkCenterShift, { since, by: "shiftId" })
// @ts-expect-error a resource without this column
Rows.changes(Holiday, { since, by: "updatedAt" })

// cursors
Cursor.fromRow(JournalLine, [Query.desc("amount")], { id: line.id, amount: 7 })
// @ts-expect-error a row without a column of the order
Cursor.fromRow(JournalLine, [Query.desc("amount")], { id: line.id })
// @ts-expect-error a row without the key
Cursor.fromRow(JournalLine, [Query.desc("amount")], { amount: 7 })
// @ts-expect-error an unknown column
Cursor.fromRow(JournalLine, ["amounts"], line)
