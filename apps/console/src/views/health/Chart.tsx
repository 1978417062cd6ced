/**
 * A small chart of lines over time. Its values are in text next to it, so the drawing is hidden from screen readers.
 */
export interface Line {
  readonly name: string
  readonly values: ReadonlyArray<number | undefined>
}

export interface ChartProps {
  readonly title: string
  readonly lines: ReadonlyArray<Line>
  readonly format: (value: number) => string
  /** The number of points of the whole width. */
  readonly width: number
  /** More text below the values. */
  readonly note?: string | undefined
}

const height = 60

/** The path of a line; it is interrupted where nothing was measured. */
export const pathOf = (values: Line["values"], width: number, top: number): string => {
  const start = width - values.length
  return values
    .map((value, index) => {
      if (value === undefined) return ""
      const y = height - (value / top) * (height - 2) - 1
      const isJoined = values[index - 1] !== undefined
      return `${isJoined ? "L" : "M"}${start + index} ${y.toFixed(1)}${isJoined ? "" : "h0.5"}`
    })
    .join("")
}

export const Chart = ({ format, lines, note, title, width }: ChartProps) => {
  const most = Math.max(0, ...lines.flatMap(({ values }) => values.map((value) => value ?? 0)))
  return (
    <section class="card chart">
      <h2>{title}</h2>
      <dl class="chart-values">
        {lines.map(({ name, values }, index) => {
          const last = values.at(-1)
          return (
            <div key={name}>
              <dt class={`line-${index}`}>{name}</dt>
              <dd>{last === undefined ? "none" : format(last)}</dd>
            </div>
          )
        })}
        <div>
          <dt>highest</dt>
          <dd>{format(most)}</dd>
        </div>
      </dl>
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true" focusable="false">
        {lines.map(({ name, values }, index) => (
          <path key={name} class={`line-${index}`} d={pathOf(values, width, most === 0 ? 1 : most)} />
        ))}
      </svg>
      {note === undefined ? null : <p class="hint">{note}</p>}
    </section>
  )
}
