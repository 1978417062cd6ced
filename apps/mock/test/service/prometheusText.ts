/** Parses Prometheus' text format (version 0.0.4), and refuses the errors that a scraper refuses. */
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Service } from "../../src/service/Service.ts"

interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

export interface Family {
  readonly type: string
  readonly help: string
  readonly samples: ReadonlyArray<Sample>
}

const sampleForm = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/
const labelForm = /([a-zA-Z_]\w*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/y

const readLabels = (text: string): Readonly<Record<string, string>> => {
  const labels: Record<string, string> = {}
  labelForm.lastIndex = 0
  while (labelForm.lastIndex < text.length) {
    const [, name = "", value = ""] = labelForm.exec(text) ?? assert.fail(`invalid labels: ${text}`)
    assert.notProperty(labels, name)
    labels[name] = value
  }
  return labels
}

const readSample = (line: string): Sample => {
  const [, name = "", labels = "", value = ""] = sampleForm.exec(line) ?? assert.fail(`invalid sample: ${line}`)
  const number = value === "+Inf" ? Infinity : Number(value)
  assert.isFalse(Number.isNaN(number), line)
  return { name, labels: readLabels(labels), value: number }
}

const belongs = (sample: string, family: string, type: string): boolean =>
  sample === family ||
  (type === "histogram" && ["_bucket", "_sum", "_count"].some((suffix) => sample === family + suffix))

const identity = ({ labels, name }: Sample) =>
  JSON.stringify([name, Object.entries(labels).toSorted(([one], [other]) => one.localeCompare(other))])

/** Checks that the buckets of each histogram increase up to its count. */
const checkHistogram = (samples: ReadonlyArray<Sample>) => {
  const series = new Map<string, Array<Sample>>()
  for (const sample of samples) {
    const labels = JSON.stringify(Object.entries(sample.labels).filter(([name]) => name !== "le"))
    series.set(labels, [...(series.get(labels) ?? []), sample])
  }
  for (const members of series.values()) {
    const buckets = members.filter(({ name }) => name.endsWith("_bucket"))
    const bounds = buckets.map(({ labels }) => (labels["le"] === "+Inf" ? Infinity : Number(labels["le"])))
    assert.deepStrictEqual(
      bounds,
      bounds.toSorted((one, other) => one - other)
    )
    assert.strictEqual(bounds.at(-1), Infinity)
    const counts = buckets.map(({ value }) => value)
    assert.deepStrictEqual(
      counts,
      counts.toSorted((one, other) => one - other)
    )
    assert.strictEqual(members.find(({ name }) => name.endsWith("_count"))?.value, counts.at(-1))
    assert.isTrue(members.some(({ name }) => name.endsWith("_sum")))
  }
}

/** The metric families of a text by name. */
export const parse = (text: string): ReadonlyMap<string, Family> => {
  assert.isTrue(text.endsWith("\n"), "the text must end with a newline")
  const families = new Map<string, { type: string; help: string; samples: Array<Sample> }>()
  let current = ""
  for (const line of text.slice(0, -1).split("\n")) {
    const [, kind, name = "", rest = ""] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? []
    if (kind === "HELP") {
      assert.isFalse(families.has(name), `${name} occurs twice`)
      families.set((current = name), { type: "", help: rest, samples: [] })
    } else if (kind === "TYPE") {
      assert.strictEqual(name, current)
      assert.match(rest, /^(counter|gauge|histogram)$/)
      families.get(name)!.type = rest
    } else {
      const sample = readSample(line)
      const family = families.get(current) ?? assert.fail(`a sample without a family: ${line}`)
      assert.isTrue(belongs(sample.name, current, family.type), `${sample.name} does not belong to ${current}`)
      family.samples.push(sample)
    }
  }
  for (const [name, { samples, type }] of families) {
    assert.lengthOf(new Set(samples.map(identity)), samples.length, `${name} repeats a series`)
    if (type === "counter") assert.match(name, /_total$/)
    if (type === "histogram") checkHistogram(samples)
  }
  return families
}

/** The metrics of a service, as its port for metrics has them. */
export const scrape = ({ monitoring }: Service) =>
  Effect.map(monitoring.handle({ method: "GET", target: "/metrics", headers: {}, body: "" }), ({ body }) =>
    parse(String(body))
  )
