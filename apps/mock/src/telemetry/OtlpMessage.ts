/**
 * Encodes the requests of OTLP (version 1) in protobuf and in JSON. The values have the form of the JSON encoding, so that
 * it needs no step of its own: names in lower camel case, ids in hex, times and integers of 64 bits as text.
 */

type Scalar = "string" | "hex" | "bool" | "int" | "fixed64" | "fixed32" | "double" | "fixed64s" | "doubles"

type Field = readonly [number: number, name: string, type: Scalar | Message, isRepeated?: "repeated"]

/** A type of messages: its fields by ascending number. */
type Message = ReadonlyArray<Field>

const anyValue: Message = [
  [1, "stringValue", "string"],
  [2, "boolValue", "bool"],
  [3, "intValue", "int"],
  [4, "doubleValue", "double"]
]
const keyValue: Message = [
  [1, "key", "string"],
  [2, "value", anyValue]
]
const resource: Message = [[1, "attributes", keyValue, "repeated"]]
const scope: Message = [
  [1, "name", "string"],
  [2, "version", "string"]
]
const status: Message = [
  [2, "message", "string"],
  [3, "code", "int"]
]
const span: Message = [
  [1, "traceId", "hex"],
  [2, "spanId", "hex"],
  [3, "traceState", "string"],
  [4, "parentSpanId", "hex"],
  [5, "name", "string"],
  [6, "kind", "int"],
  [7, "startTimeUnixNano", "fixed64"],
  [8, "endTimeUnixNano", "fixed64"],
  [9, "attributes", keyValue, "repeated"],
  [15, "status", status],
  [16, "flags", "fixed32"]
]
const logRecord: Message = [
  [1, "timeUnixNano", "fixed64"],
  [2, "severityNumber", "int"],
  [3, "severityText", "string"],
  [5, "body", anyValue],
  [6, "attributes", keyValue, "repeated"],
  [9, "traceId", "hex"],
  [10, "spanId", "hex"],
  [11, "observedTimeUnixNano", "fixed64"]
]
const numberPoint: Message = [
  [2, "startTimeUnixNano", "fixed64"],
  [3, "timeUnixNano", "fixed64"],
  [4, "asDouble", "double"],
  [7, "attributes", keyValue, "repeated"]
]
const histogramPoint: Message = [
  [2, "startTimeUnixNano", "fixed64"],
  [3, "timeUnixNano", "fixed64"],
  [4, "count", "fixed64"],
  [5, "sum", "double"],
  [6, "bucketCounts", "fixed64s"],
  [7, "explicitBounds", "doubles"],
  [9, "attributes", keyValue, "repeated"]
]
const metric: Message = [
  [1, "name", "string"],
  [2, "description", "string"],
  [3, "unit", "string"],
  [5, "gauge", [[1, "dataPoints", numberPoint, "repeated"]]],
  [
    7,
    "sum",
    [
      [1, "dataPoints", numberPoint, "repeated"],
      [2, "aggregationTemporality", "int"],
      [3, "isMonotonic", "bool"]
    ]
  ],
  [
    9,
    "histogram",
    [
      [1, "dataPoints", histogramPoint, "repeated"],
      [2, "aggregationTemporality", "int"]
    ]
  ]
]

/** The names in the request of each kind of telemetry, and the type of its items. */
const requests = {
  traces: { outer: "resourceSpans", inner: "scopeSpans", items: "spans", item: span },
  metrics: { outer: "resourceMetrics", inner: "scopeMetrics", items: "metrics", item: metric },
  logs: { outer: "resourceLogs", inner: "scopeLogs", items: "logRecords", item: logRecord }
} as const

export type Signal = keyof typeof requests

export interface Value {
  readonly [name: string]: unknown
}

/** The parts of all requests. */
export interface Head {
  readonly resource: Value
  readonly scope: Value
}

/** The request for some items. */
export const request = (signal: Signal, head: Head, items: ReadonlyArray<Value>): Value => {
  const names = requests[signal]
  return {
    [names.outer]: [{ resource: head.resource, [names.inner]: [{ scope: head.scope, [names.items]: items }] }]
  }
}

/** Writes a message from its end to its beginning, so that the length of each part is known before it. */
class Writer {
  private buffer = Buffer.allocUnsafe(64 * 1024)
  private at = this.buffer.length

  private reserve(length: number): number {
    if (this.at < length) {
      const written = this.buffer.length - this.at
      const larger = Buffer.allocUnsafe(Math.max(2 * this.buffer.length, written + length))
      this.buffer.copy(larger, larger.length - written, this.at)
      this.at = larger.length - written
      this.buffer = larger
    }
    this.at -= length
    return this.at
  }

  private varint(value: number) {
    let length = 1
    for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) length += 1
    let at = this.reserve(length)
    let rest = value
    for (; rest >= 128; rest = Math.floor(rest / 128)) this.buffer[at++] = (rest % 128) | 128
    this.buffer[at] = rest
  }

  private fixed64(value: unknown) {
    const at = this.reserve(8)
    this.buffer.writeBigUInt64LE(BigInt(value as string | number), at)
  }

  private double(value: unknown) {
    const at = this.reserve(8)
    this.buffer.writeDoubleLE(Number(value), at)
  }

  private packed(number: number, values: ReadonlyArray<unknown>, write: (value: unknown) => void) {
    for (let index = values.length - 1; index >= 0; index--) write(values[index])
    this.varint(8 * values.length)
    this.varint(number * 8 + 2)
  }

  private field([number, , type]: Field, value: unknown) {
    switch (type) {
      case "string":
      case "hex": {
        const text = String(value)
        const encoding = type === "hex" ? "hex" : "utf8"
        const length = Buffer.byteLength(text, encoding)
        this.buffer.write(text, this.reserve(length), length, encoding)
        this.varint(length)
        return this.varint(number * 8 + 2)
      }
      case "bool":
      case "int":
        this.varint(Number(value))
        return this.varint(number * 8)
      case "fixed64":
        this.fixed64(value)
        return this.varint(number * 8 + 1)
      case "double":
        this.double(value)
        return this.varint(number * 8 + 1)
      case "fixed32": {
        const at = this.reserve(4)
        this.buffer.writeUInt32LE(Number(value), at)
        return this.varint(number * 8 + 5)
      }
      // The values have the types of their fields.
      case "fixed64s":
        return this.packed(number, value as ReadonlyArray<unknown>, (item) => this.fixed64(item))
      case "doubles":
        return this.packed(number, value as ReadonlyArray<unknown>, (item) => this.double(item))
      default: {
        const before = this.buffer.length - this.at
        this.message(type, value as Value)
        this.varint(this.buffer.length - this.at - before)
        return this.varint(number * 8 + 2)
      }
    }
  }

  message(fields: Message, value: Value) {
    for (let index = fields.length - 1; index >= 0; index--) {
      const field = fields[index]
      const content = field === undefined ? undefined : value[field[1]]
      if (field === undefined || content === undefined) continue
      if (field[3] !== "repeated") this.field(field, content)
      // A repeated field has a list.
      else for (const item of (content as ReadonlyArray<unknown>).toReversed()) this.field(field, item)
    }
  }

  result(): Buffer {
    return this.buffer.subarray(this.at)
  }
}

const typeOf = ({ inner, item, items, outer }: (typeof requests)[Signal]): Message => [
  [
    1,
    outer,
    [
      [1, "resource", resource],
      [
        2,
        inner,
        [
          [1, "scope", scope],
          [2, items, item, "repeated"]
        ],
        "repeated"
      ]
    ],
    "repeated"
  ]
]

const types: { readonly [S in Signal]: Message } = {
  traces: typeOf(requests.traces),
  metrics: typeOf(requests.metrics),
  logs: typeOf(requests.logs)
}

/** Encodes a request in protobuf. */
export const toProtobuf = (signal: Signal, value: Value): Buffer => {
  const writer = new Writer()
  writer.message(types[signal], value)
  return writer.result()
}

const readVarint = (bytes: Uint8Array, start: number): readonly [value: number, end: number] => {
  let value = 0
  let scale = 1
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    value += (byte & 127) * scale
    if (byte < 128) return [value, at + 1]
    scale *= 128
  }
  return [0, bytes.length]
}

/** The number of items that the collector rejected, by its response in protobuf: the first field of its only field. */
export const rejectedIn = (response: Uint8Array): number => {
  const [partial, start] = readVarint(response, 0)
  const [, inside] = readVarint(response, start)
  const [rejected, at] = readVarint(response, inside)
  return partial === 10 && rejected === 8 ? readVarint(response, at)[0] : 0
}
