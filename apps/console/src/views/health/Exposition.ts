/**
 * Reads the text of `/metrics`.
 */

/** A sample: the name of a metric with its labels, and its value. */
export interface Sample {
  readonly name: string
  readonly labels: { readonly [label: string]: string }
  readonly value: number
}

const line = /^(\w+)(?:\{(.*)\})? (\S+)$/

const labelsOf = (text: string): Sample["labels"] =>
  Object.fromEntries([...text.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = "", value = ""]) => [name, value]))

/** The samples of an exposition. */
export const parse = (text: string): ReadonlyArray<Sample> =>
  text.split("\n").flatMap((each) => {
    const [, name, labels = "", value] = line.exec(each) ?? []
    return name === undefined ? [] : [{ name, labels: labelsOf(labels), value: Number(value) }]
  })

/** The sum of the samples with a name, of those that a condition accepts. */
export const sum = (
  samples: ReadonlyArray<Sample>,
  name: string,
  accepts: (labels: Sample["labels"]) => boolean = () => true
): number =>
  samples.reduce((sum, sample) => sum + (sample.name === name && accepts(sample.labels) ? sample.value : 0), 0)

/** The cumulative buckets of a histogram over all its other labels, by upper bound. */
export const buckets = (samples: ReadonlyArray<Sample>, name: string): ReadonlyMap<number, number> => {
  const counts = new Map<number, number>()
  for (const { labels, name: own, value } of samples) {
    if (own !== `${name}_bucket`) continue
    const bound = labels["le"] === "+Inf" ? Infinity : Number(labels["le"])
    counts.set(bound, (counts.get(bound) ?? 0) + value)
  }
  return counts
}
