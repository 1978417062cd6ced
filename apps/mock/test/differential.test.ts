/**
 * Sends random requests about random rows to a service on each store, and compares status, headers and bodies. A
 * failure prints its seed; `DIFFERENTIAL_SEED` repeats it, and `DIFFERENTIAL_REQUESTS` sets the number of requests.
 */
import type { JsonObject } from "@mfgdata/domain/Json"
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as fc from "effect/FastCheck"
import * as Layer from "effect/Layer"
import * as VirtualClock from "../src/world/VirtualClock.ts"
import * as Draw from "./differential/Draw.ts"
import * as Family from "./differential/Family.ts"
import * as Reads from "./differential/Reads.ts"
import * as Writes from "./differential/Writes.ts"
import * as Postgres from "./postgres/schema.ts"
import * as InvalidQuery from "./suite/InvalidQuery.ts"
import * as InvalidWrite from "./suite/InvalidWrite.ts"
import * as Service from "./suite/Service.ts"

const requests = Number(process.env["DIFFERENTIAL_REQUESTS"] ?? 300)
const seed = Number(process.env["DIFFERENTIAL_SEED"] ?? Date.now() % 2 ** 31)

/** The number of requests about the same rows. */
const round = 10

const headers = [
  "allow",
  "content-location",
  "content-range",
  "content-type",
  "etag",
  "location",
  "preference-applied",
  "proxy-status",
  "retry-after",
  "vary",
  "www-authenticate"
]

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The parts of a response that must be the same on both stores. */
const compared = (reply: Service.Reply) => ({
  status: reply.status,
  headers: Object.fromEntries(headers.map((name) => [name, reply.headers[name]])),
  body: parsed(reply.text)
})

const broken = (draw: Draw.Draw, { rows }: Family.Family): Reads.Question => {
  const parents = new Map<string, JsonObject>()
  for (const [{ resource }, [first]] of rows) if (first !== undefined) parents.set(resource, first)
  const { body, headers, method, target } = draw.of(
    fc.oneof(...InvalidQuery.arbitraries, ...InvalidWrite.make(parents))
  )
  return { method, target, asking: { headers, ...(body === undefined ? {} : { body }) } }
}

const shown = ({ asking: { body, headers }, method, target }: Reads.Question): string => {
  const sent = typeof body === "string" ? body : body instanceof Uint8Array ? String(body) : JSON.stringify(body)
  return [method, target, JSON.stringify(headers), (sent ?? "").slice(0, 4000)].join("\n")
}

/** A service whose ids and timestamps depend only on the requests. */
const service = (fresh: Service.Fresh, clock: VirtualClock.VirtualClock) =>
  Effect.map(Effect.withClock(Layer.build(Service.layer(fresh, { aggregates: "on" })), clock), (context) =>
    Context.get(context, Service.Service)
  )

describe("both stores", () => {
  it.scopedLive(
    `give the same responses to ${requests} random requests`,
    () =>
      Effect.gen(function* () {
        const clock = VirtualClock.make()
        clock.freeze()
        const embedded = yield* service(Effect.succeed({ _tag: "Sqlite", path: ":memory:" }), clock)
        const server = yield* service(Postgres.fresh, clock)
        const statuses = new Map<number, number>()

        /** Sends a request to both services, and returns both responses. */
        const ask = async (question: Reads.Question, before: ReadonlyArray<string>) => {
          const { asking, method, target } = question
          const [one, other] = await Effect.runPromise(
            Effect.all([embedded.ask(method, target, asking), server.ask(method, target, asking)])
          )
          assert.deepStrictEqual(compared(other), compared(one), [...before, shown(question)].join("\n\n"))
          return one
        }

        const play = async (draw: Draw.Draw) => {
          const family = Family.make(draw)
          const { resources, rows, root } = family
          const sent: Array<string> = []
          const tell = async (question: Reads.Question) => {
            const reply = await ask(question, sent)
            if (question.method !== "GET") sent.push(shown(question))
            return reply
          }
          for (const resource of resources) {
            const headers = { "content-profile": "public", prefer: "resolution=merge-duplicates" }
            const asking = { headers, body: rows.get(resource) }
            const { status, text } = await tell({ method: "POST", target: `/rest/${resource.resource}`, asking })
            assert.isBelow(status, 300, `${text}\n${sent.join("\n\n")}`)
          }
          for (let count = 0; count < round; count++) {
            const kind = draw.upTo(99)
            const question = (kind < 55 ? Reads.question : kind < 90 ? Writes.change : broken)(draw, family)
            const { status } = await tell(question)
            statuses.set(status, (statuses.get(status) ?? 0) + 1)
            if (question.method === "GET") continue
            await ask({ method: "GET", target: `/rest/${root.resource}?order=${root.key}`, asking: {} }, sent)
          }
          for (const { key, resource } of resources.toReversed()) {
            await ask({ method: "GET", target: `/rest/${resource}`, asking: {} }, sent)
            const asking = { headers: { prefer: "return=minimal" } }
            await ask({ method: "DELETE", target: `/rest/${resource}?${key}=not.is.null`, asking }, sent)
          }
        }

        for (let number = seed; number < seed + requests / round; number++) {
          yield* Effect.promise(() =>
            play(Draw.fromSeed(number)).catch((cause: unknown) => {
              throw new Error(`DIFFERENTIAL_SEED=${number} begins with this`, { cause })
            })
          )
        }
        // Most requests succeeded, and some were refused with each status.
        const done = Array.from(statuses).reduce((sum, [status, count]) => sum + (status < 300 ? count : 0), 0)
        const tally = JSON.stringify([...statuses])
        assert.isAbove(done, requests * 0.4, tally)
        assert.includeMembers([...statuses.keys()], [200, 201, 204, 400, 404], tally)
      }),
    { timeout: 1_200_000 }
  )
})
