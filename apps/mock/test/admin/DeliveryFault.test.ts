import type { JsonObject } from "@mfgdata/domain/Json"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Sender from "../../src/webhooks/Sender.ts"
import * as certificate from "../webhooks/certificate.ts"
import * as Receiver from "../webhooks/receiver.ts"
import * as webhookService from "./webhookService.ts"

/** The timeout of a delivery to a receiver that hangs. All others have the default, as a machine may be slow. */
const timeoutMillis = 500

/** Sends the event of one new row over the network, and returns its delivery. */
const deliver = (url: string, timeoutMillis?: number) =>
  Effect.gen(function* () {
    const send = yield* Sender.make({ networks: "loopback", timeoutMillis })
    const asked = yield* webhookService.open(send, "virtual")
    const ask = (...request: Parameters<typeof asked>) => Effect.map(asked(...request), ({ body }) => body)
    yield* ask("POST", "/_mock/clock/freeze", {})
    const hook: JsonObject = yield* ask("POST", "/rest/webhook", webhookService.hook(url))
    yield* ask("POST", "/rest/holiday", webhookService.holiday)
    yield* ask("POST", "/_mock/clock/advance", { seconds: 0 })
    const [{ id }] = yield* ask("GET", "/_mock/deliveries")
    const { dueAt, log, state } = yield* ask("GET", `/_mock/deliveries/${String(id)}`)
    const { now } = yield* ask("GET", "/_mock/clock")
    const row: JsonObject = yield* ask("GET", `/rest/webhook?id=eq.${String(hook["id"])}`)
    assert.lengthOf(log, 1)
    const attempt: JsonObject = log[0]
    return {
      attempt,
      state: String(state),
      /** The seconds until the next attempt. */
      again: dueAt === null ? undefined : (Date.parse(dueAt) - Date.parse(now)) / 1000,
      counts: [row["successCount"], row["errorCount"]],
      active: row["active"]
    }
  }).pipe(Effect.scoped, Effect.orDie)

interface Expected {
  readonly outcome: string
  readonly status: number | null
  readonly error: RegExp | null
}

/** The first attempt failed, and the schedule has another one. */
const checkFailed = ({ active, again, attempt, counts, state }: Effect.Effect.Success<ReturnType<typeof deliver>>) => {
  assert.deepStrictEqual({ active, counts, state }, { active: true, counts: [0, 1], state: "pending" })
  assert.isNumber(attempt["durationMillis"])
  assert.isTrue(again !== undefined && again >= 4.5 && again <= 5, String(again))
}

const check = (attempt: JsonObject, { error, outcome, status }: Expected) => {
  assert.deepInclude(attempt, { number: 1, outcome, status })
  if (error === null) assert.isNull(attempt["error"])
  else assert.match(String(attempt["error"]), error)
}

interface Failing extends Expected {
  readonly name: string
  readonly behaviour: Receiver.Behaviour
  readonly timeoutMillis?: number
}

const failing: ReadonlyArray<Failing> = [
  { name: "fails", behaviour: 500, outcome: "rejected", status: 500, error: null },
  {
    name: "redirects",
    behaviour: (response) => response.writeHead(302, { location: "http://127.0.0.1:1/" }).end(),
    outcome: "redirected",
    status: 302,
    error: null
  },
  {
    name: "hangs",
    behaviour: () => undefined,
    timeoutMillis,
    outcome: "timedOut",
    status: null,
    error: new RegExp(`^no answer within ${timeoutMillis} ms$`)
  },
  {
    name: "closes the connection",
    behaviour: (response) => response.destroy(),
    outcome: "unreachable",
    status: null,
    error: /^ECONNRESET/
  },
  {
    name: "speaks nonsense",
    behaviour: (_, request) => void request.socket.end("nonsense\r\n\r\n"),
    outcome: "unreachable",
    status: null,
    error: /^HPE_/
  }
]

describe("the log of a delivery, when its receiver", () => {
  for (const { behaviour, name, timeoutMillis, ...expected } of failing) {
    it.scoped(name, () =>
      Effect.gen(function* () {
        const receiver = yield* Receiver.open(behaviour)
        const shown = yield* deliver(receiver.url, timeoutMillis)
        check(shown.attempt, expected)
        checkFailed(shown)
        // A stall of the machine may exceed the short timeout before the request arrives.
        assert.isAtMost(receiver.arrived.length, 1)
      })
    )
  }

  it.scoped("is slow", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.open((response) => void setTimeout(() => response.writeHead(200).end(), 50))
      const { attempt, counts, state } = yield* deliver(receiver.url)
      check(attempt, { outcome: "delivered", status: 200, error: null })
      assert.deepStrictEqual([state, counts], ["delivered", [1, 0]])
    })
  )

  it.scoped("has a huge response, of which 4 KB are logged", () =>
    Effect.gen(function* () {
      const chunk = "x".repeat(1024 * 1024)
      const receiver = yield* Receiver.open((response) => {
        response.writeHead(200)
        const write = () => {
          while (!response.destroyed && response.write(chunk));
          response.once("drain", write)
        }
        write()
      })
      const { attempt, counts, state } = yield* deliver(receiver.url)
      check(attempt, { outcome: "delivered", status: 200, error: null })
      assert.strictEqual(attempt["responseBody"], "x".repeat(4096))
      assert.deepStrictEqual([state, counts], ["delivered", [1, 0]])
    })
  )

  it.scoped("has an untrusted certificate", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.open(204, certificate)
      const shown = yield* deliver(receiver.url)
      check(shown.attempt, { outcome: "unreachable", status: null, error: /self-signed certificate/ })
      checkFailed(shown)
      assert.lengthOf(receiver.arrived, 0)
    })
  )

  it.scoped("does not exist, or has a blocked address", () =>
    Effect.gen(function* () {
      const absent = yield* deliver("http://127.0.0.1:1/")
      check(absent.attempt, { outcome: "unreachable", status: null, error: /^ECONNREFUSED/ })
      checkFailed(absent)
      const refused = yield* deliver("http://10.1.2.3/hook")
      check(refused.attempt, {
        outcome: "blocked",
        status: null,
        error: /^10\.1\.2\.3 belongs to a private network: --private-networks /
      })
      checkFailed(refused)
    })
  )

  it.scoped("sends Retry-After", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.open((response) => response.writeHead(429, { "retry-after": "60" }).end())
      const { again, attempt, state } = yield* deliver(receiver.url)
      check(attempt, { outcome: "rejected", status: 429, error: null })
      assert.deepStrictEqual([state, again], ["pending", 60])
    })
  )

  it.scoped("is gone for good", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.open(410)
      const { active, attempt, state } = yield* deliver(receiver.url)
      check(attempt, { outcome: "rejected", status: 410, error: /gone, so the webhook is disabled/ })
      assert.deepStrictEqual([state, active], ["pending", false])
    })
  )
})
