import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Sender from "../../src/webhooks/Sender.ts"
import * as certificate from "./certificate.ts"
import * as Receiver from "./receiver.ts"

/** The timeout for a receiver that hangs. All others have the default, as a machine may be slow. */
const timeoutMillis = 500

const message = (url: string): Sender.Message => ({
  url,
  headers: { "content-type": "application/json" },
  body: "{}",
  table: "holiday"
})

const make = Sender.make({ networks: "loopback" })

/** Sends one message to a receiver that responds in the given way. */
const against = (behaviour: Receiver.Behaviour, sender = make) =>
  Effect.gen(function* () {
    const receiver = yield* Receiver.open(behaviour)
    const send = yield* sender
    return { receiver, outcome: yield* send(message(receiver.url)) }
  })

describe("Sender", () => {
  it.scopedLive("returns the receiver's response", () =>
    Effect.gen(function* () {
      const { outcome, receiver } = yield* against((response) => response.writeHead(201, { "x-a": "b" }).end("yes\0"))
      assert.deepInclude(outcome, { _tag: "Answered", status: 201, body: "yes\ufffd" })
      assert.strictEqual(outcome._tag === "Answered" && outcome.headers["x-a"], "b")
      assert.deepInclude(receiver.arrived[0], { body: "{}" })
      assert.strictEqual(receiver.arrived[0]?.headers["content-length"], "2")
    })
  )

  it.scopedLive("waits for a slow receiver, and times out for one that hangs", () =>
    Effect.gen(function* () {
      const slow = yield* against((response) => void setTimeout(() => response.writeHead(200).end(), 50))
      assert.deepInclude(slow.outcome, { _tag: "Answered", status: 200 })
      const hanging = yield* against(() => undefined, Sender.make({ networks: "loopback", timeoutMillis }))
      assert.deepStrictEqual(hanging.outcome, { _tag: "TimedOut", afterMillis: timeoutMillis })
    })
  )

  it.scopedLive("does not follow redirects", () =>
    Effect.gen(function* () {
      const other = yield* Receiver.open()
      for (const status of [301, 302, 303, 307, 308]) {
        const { outcome } = yield* against((response) => response.writeHead(status, { location: other.url }).end())
        assert.deepInclude(outcome, { _tag: "Answered", status })
      }
      assert.lengthOf(other.arrived, 0)
    })
  )

  it.scopedLive("uses the status when the body breaks off, has no end, or is huge", () =>
    Effect.gen(function* () {
      const broken = yield* against((response) => {
        response.writeHead(200, { "content-length": "100" }).write("some")
        setTimeout(() => response.destroy(), 10)
      })
      assert.deepInclude(broken.outcome, { _tag: "Answered", status: 200, body: "some" })
      const chunk = "x".repeat(1024 * 1024)
      const huge = yield* against((response) => {
        response.writeHead(200)
        const write = () => {
          while (!response.destroyed && response.write(chunk));
          response.once("drain", write)
        }
        write()
      })
      assert.deepInclude(huge.outcome, { _tag: "Answered", status: 200, body: "x".repeat(4096) })
    })
  )

  it.scopedLive("reports receivers that are absent, disconnect, or send invalid HTTP", () =>
    Effect.gen(function* () {
      const send = yield* make
      const reason = (outcome: Sender.Outcome) => (outcome._tag === "Unreachable" ? outcome.reason : outcome._tag)
      assert.match(reason(yield* send(message("http://127.0.0.1:1/"))), /^ECONNREFUSED/)
      assert.match(reason((yield* against((response) => response.destroy())).outcome), /^ECONNRESET/)
      const nonsense = yield* against((_, request) => void request.socket.end("nonsense\r\n\r\n"))
      assert.match(reason(nonsense.outcome), /^HPE_/)
      assert.match(reason(yield* send(message("http://no-such-host.invalid/"))), /^(ENOTFOUND|EAI_AGAIN)/)
    })
  )

  it.scopedLive("refuses an untrusted certificate", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.open(204, certificate)
      const send = yield* make
      const outcome = yield* send(message(receiver.url))
      assert.match(outcome._tag === "Unreachable" ? outcome.reason : "", /self-signed certificate/)
      assert.lengthOf(receiver.arrived, 0)
    })
  )

  it.scopedLive("opens a new connection when the receiver closed the one that was kept", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.open((response, request) => {
        response.writeHead(200).end()
        request.socket.once("data", () => request.socket.destroy())
      })
      const send = yield* make
      for (let count = 0; count < 3; count++) {
        assert.deepInclude(yield* send(message(receiver.url)), { _tag: "Answered", status: 200 })
      }
    })
  )

  it.scopedLive("sends nothing to a forbidden address", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.open()
      const send = yield* make
      const refused = (url: string) =>
        Effect.map(send(message(url)), (outcome) => ("reason" in outcome ? outcome.reason : outcome._tag))
      assert.strictEqual(
        yield* refused("http://192.168.0.1/"),
        "192.168.0.1 belongs to a private network: --private-networks allow lets webhooks reach it"
      )
      assert.strictEqual(
        yield* refused("http://[::ffff:a00:1]/"),
        "::ffff:a00:1 belongs to a private network: --private-networks allow lets webhooks reach it"
      )
      assert.strictEqual(
        yield* refused(receiver.url.replace("//", "//a:b@")),
        "the address must not contain credentials"
      )
      assert.strictEqual(yield* refused("ftp://127.0.0.1/"), "the address is not an http or https URL")
      assert.strictEqual(yield* refused("nonsense"), "the address is not an http or https URL")
      assert.lengthOf(receiver.arrived, 0)
    })
  )

  it.scopedLive("disconnects when it is interrupted", () =>
    Effect.gen(function* () {
      const [arrived, closed] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const receiver = yield* Receiver.open((response) => {
        response.on("close", () => Deferred.unsafeDone(closed, Effect.void))
        Deferred.unsafeDone(arrived, Effect.void)
      })
      const send = yield* make
      const fiber = yield* Effect.fork(send(message(receiver.url)))
      yield* Deferred.await(arrived)
      yield* Fiber.interrupt(fiber)
      yield* Deferred.await(closed)
    })
  )
})
