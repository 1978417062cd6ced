/**
 * Reads the variables of OpenTelemetry that the service knows. A value that makes no sense is refused by the name of its
 * variable.
 */
import * as Data from "effect/Data"
import * as Either from "effect/Either"
import type { Signal } from "./OtlpMessage.ts"
import * as Sampler from "./Sampler.ts"

interface Variable<A> {
  /** The accepted values, as the end of an error message. */
  readonly expected: string
  readonly default: string | undefined
  /** The effect, for the documentation. */
  readonly help: string
  /** Undefined for a text that is not accepted. */
  readonly parse: (text: string) => A | undefined
  /** Set for a value that no message repeats. */
  readonly isSecret?: true
}

const choice = <const A extends string>(...values: ReadonlyArray<A>) => ({
  expected: values.join(", ").replace(/, (?=[^,]*$)/, " or "),
  parse: (text: string): A | undefined => values.find((value) => value === text.toLowerCase())
})

const whole = (most: number) => ({
  expected: `an integer from 1 to ${most}`,
  parse: (text: string): number | undefined =>
    /^\d{1,9}$/.test(text) && Number(text) >= 1 && Number(text) <= most ? Number(text) : undefined
})

const url = {
  expected: "an http or https URL, such as http://127.0.0.1:4318",
  default: undefined,
  parse: (text: string): string | undefined =>
    URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) ? text : undefined
}

const decode = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text.trim())
  } catch {
    return undefined
  }
}

/** Pairs as in a list of baggage: `name=value,other=value`, percent-encoded. */
const pairs = {
  expected: "names and values such as key=value,other=value, percent-encoded",
  default: "",
  parse: (text: string): { readonly [name: string]: string } | undefined => {
    const entries = text.split(",").flatMap((part) => {
      if (part.trim() === "") return []
      const [, name, value] = /^([^=]+)=(.*)$/s.exec(part) ?? []
      return [[name?.trim(), value === undefined ? undefined : decode(value)] as const]
    })
    return entries.every(([name, value]) => name !== undefined && name !== "" && value !== undefined)
      ? Object.fromEntries(entries)
      : undefined
  }
}

const exporter = { ...choice("otlp", "none"), default: "otlp" }

const table = {
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    ...url,
    help: "address of the collector; /v1/traces, /v1/metrics and /v1/logs follow it"
  },
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: { ...url, help: "whole address for spans" },
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: { ...url, help: "whole address for metrics" },
  OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: { ...url, help: "whole address for log records" },
  OTEL_EXPORTER_OTLP_PROTOCOL: {
    ...choice("http/protobuf", "http/json"),
    default: "http/protobuf",
    help: "encoding of the requests"
  },
  OTEL_EXPORTER_OTLP_HEADERS: { ...pairs, isSecret: true as const, help: "headers of the requests, such as a token" },
  OTEL_EXPORTER_OTLP_COMPRESSION: { ...choice("none", "gzip"), default: "none", help: "compression of the requests" },
  OTEL_EXPORTER_OTLP_TIMEOUT: { ...whole(600_000), default: "10000", help: "milliseconds for one request" },
  OTEL_TRACES_EXPORTER: { ...exporter, help: "none exports no spans" },
  OTEL_METRICS_EXPORTER: { ...exporter, help: "none exports no metrics" },
  OTEL_LOGS_EXPORTER: { ...exporter, help: "none exports no log records" },
  OTEL_SERVICE_NAME: {
    expected: "a name",
    default: undefined,
    parse: (text: string): string | undefined => text,
    help: "name of the service (mfg-mock, if the attributes have none)"
  },
  OTEL_RESOURCE_ATTRIBUTES: { ...pairs, help: "attributes of the process" },
  OTEL_TRACES_SAMPLER: {
    ...choice(...Sampler.names),
    default: "parentbased_always_on",
    help: "choice of the traces"
  },
  OTEL_TRACES_SAMPLER_ARG: {
    expected: "a number from 0 to 1",
    default: "1",
    parse: (text: string): number | undefined =>
      /^\d*\.?\d+$/.test(text) && Number(text) <= 1 ? Number(text) : undefined,
    help: "share of the traces for traceidratio"
  },
  OTEL_BSP_SCHEDULE_DELAY: { ...whole(600_000), default: "5000", help: "milliseconds between two requests with spans" },
  OTEL_BSP_MAX_QUEUE_SIZE: { ...whole(1_000_000), default: "2048", help: "spans that wait; further ones are dropped" },
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: { ...whole(100_000), default: "512", help: "spans in one request" },
  OTEL_BLRP_SCHEDULE_DELAY: {
    ...whole(600_000),
    default: "1000",
    help: "milliseconds between two requests with log records"
  },
  OTEL_BLRP_MAX_QUEUE_SIZE: {
    ...whole(1_000_000),
    default: "2048",
    help: "log records that wait; further ones are dropped"
  },
  OTEL_BLRP_MAX_EXPORT_BATCH_SIZE: { ...whole(100_000), default: "512", help: "log records in one request" },
  OTEL_METRIC_EXPORT_INTERVAL: {
    ...whole(86_400_000),
    default: "60000",
    help: "milliseconds between two requests with metrics"
  }
} satisfies { readonly [name: string]: Variable<unknown> }

type Table = typeof table
export type Name = keyof Table
/** The value of each variable: undefined if it is not set and has no default. */
type Values = {
  readonly [N in Name]:
    | NonNullable<ReturnType<Table[N]["parse"]>>
    | (Table[N]["default"] extends undefined ? undefined : never)
}

export const variables: { readonly [N in Name]: Variable<NonNullable<Values[N]>> } = table
// The keys of a literal are its declared keys.
export const names = Object.keys(table) as ReadonlyArray<Name>

/** A value that its variable does not accept. */
export class OtlpInvalid extends Data.TaggedError("OtlpInvalid")<{ readonly name: Name; readonly text: string }> {
  override get message() {
    const { expected, isSecret } = variables[this.name]
    const value = isSecret === true ? "" : ` ${JSON.stringify(this.text)}`
    return `Invalid value${value} for ${this.name}: expected ${expected}.`
  }
}

export interface OtlpSettings extends Values {
  /** The addresses of what is exported. */
  readonly endpoints: { readonly [S in Signal]: string | undefined }
}

const isNone = (exporter: "otlp" | "none" | undefined) => exporter === "none"

const endpointsOf = (values: Values): OtlpSettings["endpoints"] => {
  const base = values.OTEL_EXPORTER_OTLP_ENDPOINT
  const below = (signal: Signal) => (base === undefined ? undefined : `${base.replace(/\/+$/, "")}/v1/${signal}`)
  return {
    traces: isNone(values.OTEL_TRACES_EXPORTER)
      ? undefined
      : (values.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? below("traces")),
    metrics: isNone(values.OTEL_METRICS_EXPORTER)
      ? undefined
      : (values.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT ?? below("metrics")),
    logs: isNone(values.OTEL_LOGS_EXPORTER) ? undefined : (values.OTEL_EXPORTER_OTLP_LOGS_ENDPOINT ?? below("logs"))
  }
}

/** Reads the variables. An empty one counts as unset. */
export const resolve = (environment: {
  readonly [variable: string]: string | undefined
}): Either.Either<OtlpSettings, OtlpInvalid> => {
  const values: { [name: string]: unknown } = {}
  for (const name of names) {
    const text = environment[name] || variables[name].default
    const value = text === undefined ? undefined : variables[name].parse(text)
    if (text !== undefined && value === undefined) return Either.left(new OtlpInvalid({ name, text }))
    values[name] = value
  }
  // The record has one parsed value for each of the names.
  const all = values as Values
  return Either.right({ ...all, endpoints: endpointsOf(all) })
}
