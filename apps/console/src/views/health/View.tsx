/**
 * The health of the service as small live charts of its metrics.
 */
import { Page } from "../../shell/Page.tsx"
import { ErrorMessage } from "../../ui/ErrorMessage.tsx"
import { Chart } from "./Chart.tsx"
import * as HealthSeries from "./HealthSeries.ts"
import { useHealth } from "./useHealth.ts"

const rate = (value: number): string => `${value.toFixed(value < 10 ? 1 : 0)}/s`
const millis = (value: number): string => `${value.toFixed(value < 10 ? 1 : 0)} ms`
const whole = (value: number): string => value.toLocaleString("en")

/** The statuses of the last errors that are still in the charts. */
const errorsOf = (points: ReadonlyArray<HealthSeries.Point>): string => {
  const last = points.findLast(({ errorsByStatus }) => errorsByStatus.size > 0)
  return last === undefined
    ? "No error."
    : `Last errors: ${[...last.errorsByStatus].map(([status, each]) => `${status} ${rate(each)}`).join(", ")}.`
}

export const View = () => {
  const { error, points } = useHealth()
  const line = (name: string, of: (point: HealthSeries.Point) => number | undefined) => ({
    name,
    values: points.map(of)
  })
  const around = { width: HealthSeries.most }
  const hasBacklog = points.some(({ backlog }) => backlog !== undefined)
  return (
    <Page
      title="Health"
      lead={
        <>
          The metrics of the whole service, every two seconds while this page is visible. Monitoring reads the same at{" "}
          <code>/metrics</code>.
        </>
      }
    >
      <ErrorMessage error={error} />
      {points.length === 0 ? <p class="hint">Measuring.</p> : null}
      <div class="charts">
        <Chart {...around} title="Requests" format={rate} lines={[line("now", ({ requests }) => requests)]} />
        <Chart
          {...around}
          title="Latency"
          format={millis}
          lines={[line("50 %", ({ p50 }) => p50), line("95 %", ({ p95 }) => p95), line("99 %", ({ p99 }) => p99)]}
        />
        <Chart
          {...around}
          title="Errors"
          format={rate}
          lines={[line("now", ({ errors }) => errors)]}
          note={errorsOf(points)}
        />
        <Chart {...around} title="Commits" format={rate} lines={[line("now", ({ commits }) => commits)]} />
        <Chart
          {...around}
          title="Queue of changes"
          format={whole}
          lines={[line("waiting", ({ queue }) => queue)]}
          note="Accepted changes that are not durable yet."
        />
        {hasBacklog ? (
          <Chart
            {...around}
            title="Webhook backlog"
            format={whole}
            lines={[line("pending", ({ backlog }) => backlog)]}
            note="Deliveries that wait for an attempt."
          />
        ) : null}
      </div>
    </Page>
  )
}
