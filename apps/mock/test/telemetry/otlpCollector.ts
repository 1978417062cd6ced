/** A collector of OTLP for tests, which reads protobuf by the rules of its wire format alone, and JSON as JSON. */
import { assert } from "@effect/vitest"
import * as LocalServer from "@mfgdata/testing-server"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as http from "node:http"
import { gunzipSync } from "node:zlib"

/** The fields of a message in protobuf by number: numbers of varints and fixed integers, doubles, or bytes. */
export type Message = ReadonlyMap<number, ReadonlyArray<number | bigint | Buffer>>

const varint = (bytes: Buffer, start: number): readonly [value: bigint, end: number] => {
  let value = 0n
  for (let at = start, shift = 0n; ; at++, shift += 7n) {
    const byte = bytes[at] ?? assert.fail("a varint ends early")
    value |= BigInt(byte & 127) << shift
    if (byte < 128) return [value, at + 1]
  }
}

export const message = (bytes: Buffer): Message => {
  const fields = new Map<number, Array<number | bigint | Buffer>>()
  for (let at = 0; at < bytes.length;) {
    const [tag, start] = varint(bytes, at)
    const [number, wireType] = [Number(tag >> 3n), Number(tag & 7n)]
    const values = fields.get(number) ?? []
    fields.set(number, values)
    if (wireType === 0) {
      const [value, end] = varint(bytes, start)
      values.push(Number(value))
      at = end
    } else if (wireType === 1) {
      values.push(bytes.readBigUInt64LE(start))
      at = start + 8
    } else if (wireType === 5) {
      values.push(bytes.readUInt32LE(start))
      at = start + 4
    } else {
      assert.strictEqual(wireType, 2)
      const [length, begin] = varint(bytes, start)
      at = begin + Number(length)
      assert.isAtMost(at, bytes.length)
      values.push(bytes.subarray(begin, at))
    }
  }
  return fields
}

export const inner = (fields: Message | undefined, number: number): ReadonlyArray<Message> =>
  (fields?.get(number) ?? []).map((value) => (Buffer.isBuffer(value) ? message(value) : assert.fail(`field ${number}`)))

export const text = (fields: Message | undefined, number: number, encoding: "utf8" | "hex" = "utf8"): string =>
  (fields?.get(number) ?? []).map((value) => (Buffer.isBuffer(value) ? value.toString(encoding) : "")).join()

/** The attributes of a message with pairs in a field, as text. */
export const attributes = (fields: Message | undefined, number: number): Readonly<Record<string, string>> =>
  Object.fromEntries(
    inner(fields, number).map((pair) => {
      const [value = assert.fail("an attribute has a value")] = inner(pair, 2)
      const [[kind, [content]] = assert.fail("a value has a kind")] = [...value] as ReadonlyArray<
        readonly [number, ReadonlyArray<number | bigint | Buffer>]
      >
      const shown = kind === 4 && typeof content === "bigint" ? double(content) : content
      return [text(pair, 1), String(shown)]
    })
  )

export const double = (bits: number | bigint | Buffer | undefined): number => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(String(bits)))
  return bytes.readDoubleLE()
}

interface Received {
  readonly path: string
  readonly headers: http.IncomingHttpHeaders
  readonly body: Buffer
}

export interface OtlpCollector {
  readonly url: string
  readonly received: ReadonlyArray<Received>
  /** The status of the next responses; 0 leaves the requests without one. */
  readonly answer: (status: number, body?: string) => void
  /** Waits until a request fits. */
  readonly until: (fits: (received: Received) => boolean) => Effect.Effect<Received>
}

export const open = Effect.gen(function* () {
  const received: Array<Received> = []
  let next = { status: 200, body: "" }
  const server = http.createServer((request, response) => {
    const parts: Array<Buffer> = []
    request.on("data", (part: Buffer) => parts.push(part))
    request.on("end", () => {
      const whole = Buffer.concat(parts)
      const body = request.headers["content-encoding"] === "gzip" ? gunzipSync(whole) : whole
      received.push({ path: request.url ?? "", headers: request.headers, body })
      if (next.status === 0) return
      response.writeHead(next.status, { "content-type": request.headers["content-type"] ?? "" }).end(next.body)
    })
  })
  const port = yield* LocalServer.listen(server)
  const collector: OtlpCollector = {
    url: `http://127.0.0.1:${port}`,
    received,
    answer: (status, body = "") => void (next = { status, body }),
    until: (fits) =>
      Effect.suspend(() => {
        const found = received.find(fits)
        return found === undefined ? Effect.fail("nothing fits yet") : Effect.succeed(found)
      }).pipe(Effect.retry(Schedule.spaced("20 millis")), Effect.timeout("60 seconds"), Effect.orDie)
  }
  return collector
})
