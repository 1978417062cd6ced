/**
 * Shows a moment relative to now, with the exact one as the tip.
 */
const steps: ReadonlyArray<readonly [seconds: number, unit: Intl.RelativeTimeFormatUnit]> = [
  [31_557_600, "year"],
  [2_629_800, "month"],
  [86_400, "day"],
  [3600, "hour"],
  [60, "minute"],
  [1, "second"]
]

const format = new Intl.RelativeTimeFormat("en", { numeric: "auto" })

/** A moment in words, such as `5 minutes ago`. */
const relative = (at: string, now: number = Date.now()): string => {
  const seconds = (Date.parse(at) - now) / 1000
  const [size, unit] = steps.find(([size]) => Math.abs(seconds) >= size) ?? [1, "second"]
  return format.format(Math.trunc(seconds / size), unit)
}

export const Time = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={at}>
    {relative(at)}
  </time>
)
