/**
 * Compares the counts in the rows of webhooks with the attempts in the delivery log.
 */
import * as Schema from "@mfgdata/testing-postgres/Schema"
import * as Effect from "effect/Effect"
import Database from "libsql"

/** The successes and errors of webhooks by their ids. */
export type Totals = ReadonlyMap<string, string>

const of = (successes: unknown, errors: unknown): string => `${Number(successes)} delivered, ${Number(errors)} failed`

/** The counts in the rows, once no delivery is pending and the counts no longer change. */
export const settled = async (get: (path: string) => Promise<unknown>): Promise<Totals> => {
  let before = ""
  for (;;) {
    const pending = await get("/_mock/deliveries?state=pending&limit=1")
    // The response of this request has rows.
    const rows = (await get("/rest/webhook?select=id,successCount,errorCount")) as ReadonlyArray<{
      readonly id: string
      readonly successCount: number
      readonly errorCount: number
    }>
    const now = JSON.stringify([pending, rows])
    if (Array.isArray(pending) && pending.length === 0 && now === before) {
      return new Map(rows.map(({ errorCount, id, successCount }) => [id, of(successCount, errorCount)]))
    }
    before = now
    // Longer than a service collects counts.
    await new Promise((resolve) => setTimeout(resolve, 3000))
  }
}

const attempts = `SELECT "webhookId", sum(CASE WHEN "outcome" = 'delivered' THEN 1 ELSE 0 END),
  sum(CASE WHEN "outcome" = 'delivered' THEN 0 ELSE 1 END)
  FROM "_deliveryAttempt" JOIN "_delivery" ON "_delivery"."id" = "_deliveryAttempt"."deliveryId" GROUP BY "webhookId"`

/** The attempts in the log of a store that is not being served. */
export const logged = (store: string): Effect.Effect<Totals> =>
  Effect.gen(function* () {
    const file = /^sqlite:(.+)$/.exec(store)?.[1]
    const rows: ReadonlyArray<ReadonlyArray<unknown>> =
      file === undefined
        ? yield* Schema.run(store, attempts)
        : yield* Effect.sync(() => {
            const database = new Database(file, { readonly: true })
            // The driver types rows as unknown.
            const rows = database.prepare(attempts).raw().all() as ReadonlyArray<ReadonlyArray<unknown>>
            database.close()
            return rows
          })
    return new Map(rows.map(([id, successes, errors]) => [String(id), of(successes, errors)]))
  })

/** The webhooks whose totals differ, as sentences. */
export const differences = (rows: Totals, log: Totals): ReadonlyArray<string> =>
  Array.from(new Set([...rows.keys(), ...log.keys()]))
    .filter((id) => rows.get(id) !== (log.get(id) ?? of(0, 0)))
    .map((id) => `the row of ${id} counts ${rows.get(id)}, and the log ${log.get(id)}`)
