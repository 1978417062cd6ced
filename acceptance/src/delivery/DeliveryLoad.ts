/**
 * Kills the service under load and checks its webhooks: every confirmed change reaches every subscribed webhook, the
 * changes of a row in their order.
 */
import * as LocalServer from "@mfgdata/testing-server"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import * as http from "node:http"
import * as WebhookTotals from "./WebhookTotals.ts"
import * as WebhookReceivers from "../WebhookReceivers.ts"
import * as Program from "../Program.ts"

const key = "mfg_events_test_key"
const adminKey = "mfg_events_test_administration"

/** Bodies of new rows, and the field that counts the writes of a row. */
const tables = {
  holiday: { version: "name", body: { date: "2026-05-01", companyId: "demo" } },
  changeOrderRequiredAction: { version: "name", body: { active: true } },
  paymentTerm: {
    version: "name",
    body: {
      daysDue: 30,
      daysDiscount: 0,
      discountPercentage: 0,
      calculationMethod: "Net",
      active: true,
      companyId: "demo"
    }
  },
  workflowTriggerEvent: {
    version: "origin",
    body: { workflowId: "w", workflowVersionId: "v", eventId: "job.created" }
  },
  fulfillment: {
    version: "salesOrderLineId",
    body: { type: "Inventory", quantity: 1, companyId: "demo" }
  }
} as const
type Table = keyof typeof tables
// The keys of the literal above.
const names = Object.keys(tables) as ReadonlyArray<Table>

export interface Options {
  /** The bundled service. */
  readonly bin: string
  /** The value of `--store`. */
  readonly store: string
  /** The number of services that share the store. */
  readonly instances: number
  readonly changes: number
  readonly webhooks: number
  /** The number of times that a service is killed during the run. */
  readonly kills: number
  /** Restarts a service that was killed. */
  readonly restarts: boolean
  /** The time for all deliveries, from the first write on. */
  readonly limitSeconds: number
  /** One event out of this number gets 500 at its first attempt (default 50). */
  readonly failEvery?: number
  /** Delivers everything twice again: while this number of changes is written each second, and while none is. */
  readonly writesMeanwhile?: number
}

export interface Outcome {
  readonly changes: number
  readonly deliveries: number
  readonly arrivals: number
  readonly failedOnce: number
  readonly missing: ReadonlyArray<string>
  readonly complaints: ReadonlyArray<string>
  /** The number of times that a service was killed. */
  readonly kills: number
  /** The time of all writes, and of all deliveries. */
  readonly writingSeconds: number
  readonly seconds: number
  /** The times in which everything was delivered again, while changes were written and while none was. */
  readonly again: { readonly writing: number; readonly quiet: number } | undefined
  /** The webhooks whose rows have other counts than the delivery log. */
  readonly miscounted: ReadonlyArray<string>
}

/** The receivers are on this machine, with either store. */
const reaching = ["--private-networks", "loopback"]

const serve = (bin: string, store: string, port: number): Effect.Effect<Program.Running, never, Scope.Scope> =>
  Program.start([bin, "serve", "--port", String(port), "--seed", "empty", "--store", store, ...reaching], /Try:/, {
    env: { MFG_MOCK_API_KEY: key, MFG_MOCK_ADMIN_KEY: adminKey }
  })

const pause = (millis: number) => new Promise<void>((resolve) => setTimeout(resolve, millis))

/** The connection broke before a response arrived; an error status is a response. */
class Unanswered extends Error {}

// A single keep-alive agent: this process must leave the processor to the services.
const agent = new http.Agent({ keepAlive: true })

const send = (origin: string, method: string, path: string, body: unknown): Promise<{ readonly id: string }> =>
  // A row, or the response with a secret, of which the caller does not read the id.
  ask(origin, method, path, body) as Promise<{ readonly id: string }>

const ask = (origin: string, method: string, path: string, body?: unknown): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const lost = (cause: Error) => reject(new Unanswered(`${method} ${path}`, { cause }))
    const headers = {
      Authorization: `Bearer ${path.startsWith("/_mock") ? adminKey : key}`,
      "Content-Type": "application/json"
    }
    const request = http.request(`${origin}${path}`, { agent, method, headers }, (response) => {
      let answer = ""
      response.setEncoding("utf8").on("data", (text: string) => (answer += text))
      response.on("error", lost)
      response.on("end", () => {
        const { statusCode = 0 } = response
        if (statusCode < 300) resolve(JSON.parse(answer))
        else reject(new Error(`${method} ${path} was answered ${statusCode}: ${answer}`))
      })
    })
    request.on("error", lost)
    request.end(body === undefined ? undefined : JSON.stringify(body))
  })

/** Creates the webhooks, in turn for each table, and keeps their secrets. */
const listen = async (origin: string, hooks: WebhookReceivers.WebhookReceivers, count: number): Promise<void> => {
  for (let hook = 0; hook < count; hook++) {
    const row = WebhookReceivers.row(names[hook % names.length] ?? "", hooks.url(hook))
    const { id } = await send(origin, "POST", "/rest/webhook", row)
    // The response of this request has a secret.
    const answer: unknown = await send(origin, "POST", `/_mock/webhooks/${id}/secret`, {})
    hooks.trust(hook, (answer as { readonly secret: string }).secret)
  }
}

/** Writes rows at a rate, ten in parallel, until the returned function is called. */
const writeOn = (origins: () => ReadonlyArray<string>, perSecond: number): (() => Promise<void>) => {
  const writers = 10
  const stopped = new AbortController()
  const work = async (writer: number) => {
    const start = performance.now()
    for (let count = 1; !stopped.signal.aborted; count++) {
      await write(origins, names[writer % names.length] ?? "holiday", writers * count + writer, 1, () => undefined)
      await pause(Math.max(0, start + (count * 1000 * writers) / perSecond - performance.now()))
    }
  }
  const working = Promise.all(Array.from({ length: writers }, (_, writer) => work(writer)))
  return async () => {
    stopped.abort()
    await working
  }
}

/** Makes every delivery of each webhook due again. */
const redeliver = async (origins: ReadonlyArray<string>): Promise<void> => {
  const since = "2000-01-01T00:00:00.000Z"
  // The response of this request has rows.
  const rows = (await ask(origins[0] ?? "", "GET", "/rest/webhook?select=id")) as ReadonlyArray<{ readonly id: string }>
  for (const [index, { id }] of rows.entries()) {
    await ask(origins[index % origins.length] ?? "", "POST", "/_mock/deliveries/redeliver", { webhookId: id, since })
  }
}

/** Writes one row repeatedly; an interrupted write is sent again to a running service. */
const write = async (
  origins: () => ReadonlyArray<string>,
  table: Table,
  writer: number,
  versions: number,
  answered: (change: WebhookReceivers.Change) => void
): Promise<void> => {
  const { body, version: field } = tables[table]
  let row: string | undefined
  for (let version = 0; version < versions;) {
    const living = origins()
    const origin = living[(writer + version) % Math.max(1, living.length)]
    const value = { [field]: `row of ${writer}/${version}` }
    try {
      if (origin === undefined) throw new Unanswered("nobody serves")
      row =
        row === undefined
          ? (await send(origin, "POST", `/rest/${table}`, { ...body, ...value })).id
          : (await send(origin, "PATCH", `/rest/${table}?id=eq.${row}`, value)).id
      answered({ table, row, version })
      version += 1
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error
      await pause(50)
    }
  }
}

/** Runs the load and returns its result. */
export const run = (options: Options): Effect.Effect<Outcome> =>
  Effect.gen(function* () {
    const { bin, changes, failEvery = 50, instances, kills, limitSeconds, restarts, store, webhooks } = options
    const versionOf = Object.fromEntries(names.map((name) => [name, tables[name].version]))
    const hooks = yield* WebhookReceivers.open({ versionOf, failEvery })
    const ports = yield* Effect.all(Array.from({ length: instances }, () => LocalServer.freePort))
    const living = new Map<number, Program.Running>()
    // The first service creates the store, the others open it.
    for (const port of ports) living.set(port, yield* serve(bin, store, port))
    const origins = () => Array.from(living.keys(), (port) => `http://127.0.0.1:${port}`)
    yield* Effect.promise(() => listen(origins()[0] ?? "", hooks, webhooks))

    const expected: Array<WebhookReceivers.Change> = []
    const scope = yield* Effect.scope
    let killed = 0
    /** Kills a service under load, at even intervals. */
    const kill = async () => {
      const [[port, running] = []] = living
      if (port === undefined || running === undefined) return
      living.delete(port)
      await Effect.runPromise(running.end("SIGKILL"))
      if (restarts)
        living.set(port, await Effect.runPromise(Effect.provideService(serve(bin, store, port), Scope.Scope, scope)))
    }
    const kept: Array<Promise<void>> = []
    const answered = (change: WebhookReceivers.Change) => {
      expected.push(change)
      if (killed < kills && expected.length >= ((killed + 1) * changes) / (kills + 1)) {
        killed += 1
        kept.push(kill())
      }
    }

    const start = performance.now()
    const rows = 50
    yield* Effect.promise(async () => {
      await Promise.all(
        Array.from({ length: rows }, (_, writer) =>
          write(origins, names[writer % names.length] ?? "holiday", writer, changes / rows, answered)
        )
      )
      await Promise.all(kept)
    })
    const writingSeconds = (performance.now() - start) / 1000
    const wanted = expected.flatMap((change) =>
      Array.from({ length: webhooks }, (_, hook) => ({ hook, change })).filter(
        ({ hook }) => names[hook % names.length] === change.table
      )
    )
    const arrival = async (limitMillis: number) => {
      const start = performance.now()
      let missing = wanted
      for (;;) {
        missing = missing.filter(({ change, hook }) => !hooks.has(hook, change))
        if (missing.length === 0 || performance.now() - start >= limitMillis) return missing
        await pause(100)
      }
    }
    const missing = yield* Effect.promise(() => arrival(limitSeconds * 1000 - writingSeconds * 1000))
    const seconds = (performance.now() - start) / 1000
    const get = (path: string) => ask(origins()[0] ?? "", "GET", path)
    /** Delivers everything again, and returns the seconds that it took. */
    const deliverAgain = async () => {
      hooks.forget()
      const start = performance.now()
      await redeliver(origins())
      missing.push(...(await arrival(limitSeconds * 1000)))
      return (performance.now() - start) / 1000
    }
    const { writesMeanwhile } = options
    const again =
      writesMeanwhile === undefined
        ? undefined
        : yield* Effect.promise(async () => {
            await WebhookTotals.settled(get)
            const stop = writeOn(origins, writesMeanwhile)
            const writing = await deliverAgain().finally(stop)
            await WebhookTotals.settled(get)
            return { writing, quiet: await deliverAgain() }
          })
    const counts = yield* Effect.promise(() => WebhookTotals.settled(get))
    for (const running of living.values()) yield* running.end("SIGTERM")
    const miscounted = WebhookTotals.differences(counts, yield* WebhookTotals.logged(store))
    const { arrivals, failed } = hooks.count()
    return {
      changes: expected.length,
      deliveries: wanted.length,
      arrivals,
      failedOnce: failed,
      missing: missing.map(({ change, hook }) => `${hook} ${change.table}/${change.row}/${change.version}`),
      complaints: hooks.complaints,
      kills: killed,
      writingSeconds,
      seconds,
      again,
      miscounted
    }
  }).pipe(Effect.scoped)
