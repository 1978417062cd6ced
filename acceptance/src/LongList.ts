/**
 * Serves any number of holidays without storing them: each page is generated when it is requested.
 */
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import { Rows } from "@mfgdata/client"
import { Holiday } from "@mfgdata/domain"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

const idOf = (index: number): string => String(index).padStart(12, "0")

const row = (index: number) => ({
  id: idOf(index),
  name: `Holiday ${index}`,
  date: "2027-05-01",
  companyId: "demo",
  year: 2027,
  customFields: null,
  tags: ["made"],
  createdBy: "operations",
  createdAt: "2026-01-01T00:00:00Z",
  updatedBy: null
})

/** A client of a service with the given number of rows. */
const client = (total: number) =>
  HttpClient.make((request, { searchParams }) => {
    const from = Number(searchParams.get("id")?.slice("gt.".length) ?? -1) + 1
    const count = Math.min(Number(searchParams.get("limit")), total - from)
    const rows = Array.from({ length: count }, (_, index) => row(from + index))
    return Effect.succeed(HttpClientResponse.fromWeb(request, Response.json(rows)))
  })

setFlagsFromString("--expose-gc")
const collect: () => void = runInNewContext("gc")

/** The used heap in megabytes after garbage collection. */
const heap = (): number => {
  collect()
  collect()
  return process.memoryUsage().heapUsed / 1_048_576
}

/** Streams all rows; returns the number that arrived in order, and the growth of the heap. */
export const stream = (total: number, early: number) =>
  Effect.gen(function* () {
    const rows = yield* Effect.provideService(
      Rows.make({ restUrl: "http://flood.test/rest", apiKey: "mfg_flood_key" }),
      HttpClient.HttpClient,
      client(total)
    )
    let seen = 0
    let before = 0
    yield* Stream.runForEach(rows.stream(Holiday), ({ id }) =>
      Effect.sync(() => {
        if (id !== idOf(seen)) throw new Error(`${id} came in the place of ${idOf(seen)}`)
        if (++seen === early) before = heap()
      })
    )
    return { seen, grownBy: heap() - before }
  })
