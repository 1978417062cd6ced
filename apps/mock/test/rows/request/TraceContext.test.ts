import { assert, describe, it } from "@effect/vitest"
import * as TraceContext from "../../../src/rows/request/TraceContext.ts"

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736"
const spanId = "00f067aa0ba902b7"
const valid = `00-${traceId}-${spanId}-01`

describe("a trace context", () => {
  it("is read from traceparent and tracestate", () => {
    assert.deepStrictEqual(TraceContext.fromHeaders({ traceparent: valid, tracestate: "a=1,b=2" }), {
      traceparent: valid,
      tracestate: "a=1,b=2",
      traceId,
      spanId,
      isSampled: true
    })
    assert.isFalse(TraceContext.fromHeaders({ traceparent: `00-${traceId}-${spanId}-00` })?.isSampled)
  })

  it("is passed on in version 00", () => {
    assert.strictEqual(
      TraceContext.toText({ traceparent: `01-${traceId}-${spanId}-03-more` }),
      `00-${traceId}-${spanId}-03`
    )
    for (const tracestate of [undefined, "a=1", "a=1, b=2"]) {
      const text = TraceContext.toText({ traceparent: valid, tracestate }) ?? ""
      const { tracestate: state, traceparent } = TraceContext.headersOf(text)
      assert.deepStrictEqual([traceparent, state], [valid, tracestate])
    }
  })

  it.each([
    ["no header", undefined],
    ["another form", "4bf92f3577b34da6"],
    ["the version ff", `ff-${traceId}-${spanId}-01`],
    ["capital letters", valid.toUpperCase()],
    ["a trace of zeros", `00-${"0".repeat(32)}-${spanId}-01`],
    ["a span of zeros", `00-${traceId}-${"0".repeat(16)}-01`],
    ["more fields in version 00", `${valid}-more`],
    ["two headers", `${valid}, ${valid}`]
  ])("is absent with %s", (_, traceparent) => {
    assert.isUndefined(TraceContext.fromHeaders({ traceparent }))
    assert.isNull(TraceContext.toText({ traceparent }))
  })

  it("has no state with characters that a header cannot have, or with too many", () => {
    for (const tracestate of ["a=\n", "ä=1", "x".repeat(513), ""]) {
      assert.isUndefined(TraceContext.fromHeaders({ traceparent: valid, tracestate })?.tracestate)
    }
  })
})
