import type { Conflict, RowNotFound, Rows } from "@mfgdata/client"
import * as FakeRows from "@mfgdata/client/FakeRows"
import type * as Layer from "effect/Layer"

type Equals<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
declare const expect: <_ extends true>() => void

// plain literals are rows, without brands
const layer = FakeRows.layer({ holiday: [{ name: "May Day", date: "2027-05-01", companyId: "demo", tags: null }] })
expect<Equals<typeof layer, Layer.Layer<Rows>>>()

// @ts-expect-error an unknown resource
FakeRows.layer({ holidays: [] })
// @ts-expect-error a required column is missing
FakeRows.layer({ holiday: [{ name: "May Day", companyId: "demo" }] })
// @ts-expect-error an unknown column
FakeRows.layer({ holiday: [{ name: "May Day", date: "2027-05-01", companyId: "demo", day: 1 }] })
// @ts-expect-error a value of another type
FakeRows.layer({ holiday: [{ name: 7, date: "2027-05-01", companyId: "demo" }] })

declare const conflict: Conflict
declare const absent: RowNotFound
FakeRows.layer({}, { failures: { create: conflict, retrieve: () => absent } })
// @ts-expect-error a list cannot fail with RowNotFound
FakeRows.layer({}, { failures: { list: absent } })
// @ts-expect-error an unknown method
FakeRows.layer({}, { failures: { delete: conflict } })
