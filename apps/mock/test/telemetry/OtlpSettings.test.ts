import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as OtlpSettings from "../../src/telemetry/OtlpSettings.ts"
import * as Sampler from "../../src/telemetry/Sampler.ts"
import * as Telemetry from "../../src/telemetry/Telemetry.ts"

const base = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318/" }

const resolve = (environment: Readonly<Record<string, string>>) =>
  Either.getOrThrow(OtlpSettings.resolve({ ...base, ...environment }))

describe("the variables of OpenTelemetry", () => {
  it("select the addresses of the signals", () => {
    assert.deepStrictEqual(resolve({}).endpoints, {
      traces: "http://collector:4318/v1/traces",
      metrics: "http://collector:4318/v1/metrics",
      logs: "http://collector:4318/v1/logs"
    })
    assert.deepStrictEqual(
      resolve({
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://traces.example/in?token=1",
        OTEL_METRICS_EXPORTER: "none",
        OTEL_LOGS_EXPORTER: "none"
      }).endpoints,
      { traces: "https://traces.example/in?token=1", metrics: undefined, logs: undefined }
    )
  })

  it("have headers and attributes as encoded pairs", () => {
    const settings = resolve({
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20abc%3D, x-tenant=a=b",
      OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=staging"
    })
    assert.deepStrictEqual(settings.OTEL_EXPORTER_OTLP_HEADERS, { authorization: "Bearer abc=", "x-tenant": "a=b" })
    assert.deepStrictEqual(settings.OTEL_RESOURCE_ATTRIBUTES, { "deployment.environment.name": "staging" })
  })

  it("are refused by name, and a secret is not repeated", () => {
    const messageOf = (environment: Readonly<Record<string, string>>) =>
      Either.getOrThrow(Either.flip(OtlpSettings.resolve({ ...base, ...environment }))).message
    assert.strictEqual(
      messageOf({ OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }),
      'Invalid value "grpc" for OTEL_EXPORTER_OTLP_PROTOCOL: expected http/protobuf or http/json.'
    )
    assert.strictEqual(
      messageOf({ OTEL_EXPORTER_OTLP_HEADERS: "a-token" }),
      "Invalid value for OTEL_EXPORTER_OTLP_HEADERS: expected names and values such as key=value,other=value, percent-encoded."
    )
    for (const [name, text] of [
      ["OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318"],
      ["OTEL_EXPORTER_OTLP_TIMEOUT", "0"],
      ["OTEL_TRACES_SAMPLER", "sometimes"],
      ["OTEL_TRACES_SAMPLER_ARG", "1.5"],
      ["OTEL_BSP_MAX_QUEUE_SIZE", "many"]
    ] as const) {
      assert.include(messageOf({ [name]: text }), `Invalid value "${text}" for ${name}: expected `)
    }
  })

  it("switch the export on by an address, and off by OTEL_SDK_DISABLED", () => {
    assert.isFalse(Telemetry.isRequested({}))
    assert.isFalse(Telemetry.isRequested({ OTEL_EXPORTER_OTLP_ENDPOINT: "", OTEL_SERVICE_NAME: "mock" }))
    assert.isTrue(Telemetry.isRequested(base))
    assert.isTrue(Telemetry.isRequested({ OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: "http://collector/logs" }))
    assert.isFalse(Telemetry.isRequested({ ...base, OTEL_SDK_DISABLED: "true" }))
  })
})

describe("the sampler", () => {
  const low = "4bf92f3577b34da6a300000000000001"
  const high = "4bf92f3577b34da6a3ffffffffffffff"

  it("keeps a share of the traces by their ids", () => {
    const half = Sampler.make("traceidratio", 0.5)
    assert.deepStrictEqual([half(low, undefined), half(high, undefined), half(low, true)], [false, true, false])
    assert.isTrue(Sampler.make("traceidratio", 1)(low, undefined))
    assert.isFalse(Sampler.make("traceidratio", 0)(high.slice(0, -1) + "0", undefined))
  })

  it("follows the caller", () => {
    const sampler = Sampler.make("parentbased_always_off", 1)
    assert.deepStrictEqual([sampler(high, true), sampler(high, false), sampler(high, undefined)], [true, false, false])
    assert.isTrue(Sampler.make("always_on", 1)(low, false))
  })
})
