import { assert, describe, it } from "@effect/vitest"
import * as Attributes from "../../src/telemetry/Attributes.ts"
import * as OtlpMessage from "../../src/telemetry/OtlpMessage.ts"
import * as Otlp from "./otlpCollector.ts"

const head = {
  resource: { attributes: Attributes.toKeyValues({ "service.name": "größer als ASCII" }) },
  scope: { name: "mfg-mock", version: "1.2.3" }
}

const encode = (signal: OtlpMessage.Signal, ...items: ReadonlyArray<OtlpMessage.Value>) => {
  const bytes = OtlpMessage.toProtobuf(signal, OtlpMessage.request(signal, head, items))
  const [outer] = Otlp.inner(Otlp.message(Buffer.from(bytes)), 1)
  const [scoped] = Otlp.inner(outer, 2)
  return { outer, scoped, items: Otlp.inner(scoped, 2) }
}

const span = {
  traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
  spanId: "00f067aa0ba902b7",
  name: "GET /rest/holiday",
  kind: 2,
  startTimeUnixNano: "1700000000000001000",
  endTimeUnixNano: "1700000000250001000",
  attributes: Attributes.toKeyValues({ text: "ä€😀", count: 300, large: 2 ** 40, ratio: 0.25, below: -1, yes: true }),
  status: { code: 2, message: "status 503" },
  flags: 1
}

describe("a request in protobuf", () => {
  it("has the fields of OTLP at their numbers", () => {
    const { items, outer, scoped } = encode("traces", span, { ...span, name: "second" })
    assert.deepStrictEqual(Otlp.attributes(Otlp.inner(outer, 1)[0], 1), { "service.name": "größer als ASCII" })
    const [scope] = Otlp.inner(scoped, 1)
    assert.deepStrictEqual([Otlp.text(scope, 1), Otlp.text(scope, 2)], ["mfg-mock", "1.2.3"])
    const [first, second] = items
    assert.deepStrictEqual([Otlp.text(first, 1, "hex"), Otlp.text(first, 2, "hex")], [span.traceId, span.spanId])
    assert.deepStrictEqual(first?.get(7), [1_700_000_000_000_001_000n])
    assert.deepStrictEqual(first?.get(8), [1_700_000_000_250_001_000n])
    assert.deepStrictEqual([first?.get(6), first?.get(16), first?.has(4)], [[2], [1], false])
    assert.deepStrictEqual(Otlp.attributes(first, 9), {
      text: "ä€😀",
      count: "300",
      large: String(2 ** 40),
      ratio: "0.25",
      below: "-1",
      yes: "1"
    })
    const [status] = Otlp.inner(first, 15)
    assert.deepStrictEqual([Otlp.text(status, 2), status?.get(3)], ["status 503", [2]])
    assert.strictEqual(Otlp.text(second, 5), "second")
  })

  it("keeps the order and the content of requests that are larger than its first buffer", () => {
    const names = Array.from({ length: 2000 }, (_, index) => `span ${index}`)
    const { items } = encode("traces", ...names.map((name) => ({ ...span, name })))
    assert.deepStrictEqual(
      items.map((item) => Otlp.text(item, 5)),
      names
    )
  })

  it("has metrics and log records at their numbers", () => {
    const histogram = {
      name: "seconds",
      histogram: {
        aggregationTemporality: 2,
        dataPoints: [
          { count: "3", sum: 1.5, bucketCounts: ["1", "2"], explicitBounds: [0.5], timeUnixNano: "2", attributes: [] }
        ]
      }
    }
    const [metric] = encode("metrics", histogram).items
    const [data] = Otlp.inner(metric, 9)
    const [point] = Otlp.inner(data, 1)
    assert.deepStrictEqual([data?.get(2), point?.get(4), Otlp.double(point?.get(5)?.[0])], [[2], [3n], 1.5])
    assert.strictEqual(Otlp.text(point, 6, "hex"), "01000000000000000200000000000000")
    assert.strictEqual(Otlp.text(point, 7, "hex"), "000000000000e03f")
    const [record] = encode("logs", { severityNumber: 9, body: { stringValue: "a line" }, timeUnixNano: "7" }).items
    assert.deepStrictEqual([record?.get(1), record?.get(2)], [[7n], [9]])
    assert.strictEqual(Otlp.text(Otlp.inner(record, 5)[0], 1), "a line")
  })
})

describe("the response of a collector in protobuf", () => {
  it("has the number of rejected items", () => {
    assert.strictEqual(OtlpMessage.rejectedIn(new Uint8Array()), 0)
    // partial_success { rejected_spans: 300, error_message: "no" }
    const bytes = [0x0a, 0x07, 0x08, 0xac, 0x02, 0x12, 0x02, 0x6e, 0x6f]
    assert.strictEqual(OtlpMessage.rejectedIn(Uint8Array.from(bytes)), 300)
    // partial_success { error_message: "no" }: a warning
    assert.strictEqual(OtlpMessage.rejectedIn(Uint8Array.from([0x0a, 0x04, 0x12, 0x02, 0x6e, 0x6f])), 0)
  })
})
