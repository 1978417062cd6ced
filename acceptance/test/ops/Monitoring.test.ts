/** Checks that the dashboard and the alerts name metrics and labels that the service has. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as Ops from "../../src/Ops.ts"
import * as Program from "../../src/Program.ts"

interface Panel {
  readonly id: number
  readonly type: string
  readonly title: string
  readonly description?: string
  readonly gridPos: { readonly h: number; readonly w: number; readonly x: number; readonly y: number }
  readonly targets?: ReadonlyArray<{ readonly refId: string; readonly expr: string }>
}

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string; readonly action: string }
}

// The files are those of this repository.
const dashboard = JSON.parse(Ops.read("grafana/mfg-mock.json")) as { readonly panels: ReadonlyArray<Panel> }
const [rulesFile] = Ops.yaml("prometheus/rules.yml") as ReadonlyArray<{
  readonly groups: ReadonlyArray<{ readonly rules: ReadonlyArray<Rule> }>
}>
const rules = rulesFile?.groups.flatMap(({ rules }) => rules) ?? []
const expressions = [
  ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
  ...rules.map(({ expr }) => expr)
]

/** The metrics of docs/telemetry.md, which a test compares with the service, and their labels. */
const metrics = new Map(
  Array.from(
    readFileSync(join(Program.root, "docs/telemetry.md"), "utf8").matchAll(
      /^\| `((?:mfg_mock|process|nodejs)_\w+)`\s*\| (\w+)\s*\|([^|]*)\|/gm
    ),
    ([, name = "", type = "", labels = ""]) =>
      [name, { type, labels: Array.from(labels.matchAll(/`(\w+)`/g), ([, label = ""]) => label) }] as const
  )
)

/** The metric of a series: a histogram has series of its own. */
const metricOf = (series: string) => metrics.get(series) ?? metrics.get(series.replace(/_(bucket|sum|count)$/, ""))

const scraped = ["job", "instance", "le"]

describe("the dashboard and the alerts", () => {
  it("name metrics that the service has", () => {
    assert.isAbove(metrics.size, 30)
    const named = expressions.flatMap((text) => text.match(/\b(?:mfg_mock|process|nodejs)_\w+/g) ?? [])
    assert.isAbove(new Set(named).size, 25)
    assert.deepStrictEqual(
      named.filter((name) => metricOf(name) === undefined),
      []
    )
  })

  it("show every metric of the service on the dashboard", () => {
    const shown = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)).join("\n")
    const missing = [...metrics.keys()].filter((name) => !shown.includes(name))
    assert.deepStrictEqual(missing, [
      "mfg_mock_expired_rows_total",
      "mfg_mock_expired_rows_last_success_timestamp_seconds",
      "mfg_mock_telemetry_exported_total",
      "mfg_mock_telemetry_failures_total",
      "mfg_mock_telemetry_waiting",
      "nodejs_eventloop_lag_p50_seconds"
    ])
  })

  it("select and group by labels that the metrics have", () => {
    for (const text of expressions) {
      const known = new Set(
        (text.match(/\b(?:mfg_mock|process|nodejs)_\w+/g) ?? []).flatMap((name) => metricOf(name)?.labels ?? [])
      )
      const isKnown = (label: string) => known.has(label) || scraped.includes(label) || text.includes(`"${label}"`)
      const grouped = Array.from(text.matchAll(/\bby \(([^)]*)\)/g), ([, list = ""]) => list.split(/,\s*/)).flat()
      const selected = Array.from(text.matchAll(/[{,]\s*(\w+)\s*(?:=~|!=|!~|=)\s*"/g), ([, label = ""]) => label)
      assert.deepStrictEqual(
        [...grouped, ...selected].filter((label) => !isKnown(label)),
        [],
        text
      )
    }
  })

  it("show the replicas, the targets of reads and the reasons apart, and warn of replicas that are away or late", () => {
    const grouped = { in_use: "replica", lag_seconds: "replica", reads_total: "target", fallbacks_total: "reason" }
    for (const [name, label] of Object.entries(grouped)) {
      const named = expressions.filter((text) => text.includes(`mfg_mock_replica_${name}`))
      assert.isNotEmpty(named, name)
      for (const text of named) assert.match(text, new RegExp(`by \\((\\w+, )?${label}\\)`))
    }
    const alerts = rules.filter(({ expr }) => /replica_(in_use|lag_seconds)/.test(expr)).map(({ alert }) => alert)
    assert.deepStrictEqual(alerts, ["MfgMockReplicaAway", "MfgMockReplicaLate"])
  })

  it("take the rate of counters alone", () => {
    for (const text of expressions) {
      for (const [, name = ""] of text.matchAll(/\b(?:rate|increase)\((\w+)/g)) {
        assert.include(["counter", "histogram"], metricOf(name)?.type, text)
      }
    }
  })

  it("have panels with names and places of their own", () => {
    const { panels } = dashboard
    assert.strictEqual(new Set(panels.map(({ id }) => id)).size, panels.length)
    const cells = panels.flatMap(({ gridPos: { h, w, x, y } }) =>
      Array.from({ length: h * w }, (_, index) => `${x + (index % w)},${y + Math.floor(index / w)}`)
    )
    assert.strictEqual(new Set(cells).size, cells.length)
    for (const { gridPos, title } of panels) assert.isAtMost(gridPos.x + gridPos.w, 24, title)
  })

  it("say what to do, in documents that exist", () => {
    for (const { alert, annotations, labels } of rules) {
      assert.include(["critical", "warning", "info"], labels.severity, alert)
      assert.isAbove(annotations.summary.length, 20, alert)
      for (const [file] of annotations.action.matchAll(/docs\/\w+\.md/g)) {
        assert.isTrue(existsSync(join(Program.root, file)), `${alert}: ${file}`)
      }
    }
  })

  const promtool = Ops.has("promtool")
  it.effect.skipIf(!promtool.isPresent)(`fire as promtool tests them${promtool.reason}`, () =>
    Effect.gen(function* () {
      const cwd = join(Ops.folder, "prometheus")
      for (const args of [
        ["check", "rules", "rules.yml"],
        ["test", "rules", "rules.test.yml"],
        ["check", "config", "prometheus.yml"]
      ]) {
        const { code, stderr, stdout } = yield* Program.run("promtool", args, { cwd })
        assert.strictEqual(code, 0, `${args.join(" ")}: ${stdout}${stderr}`)
      }
    })
  )
})
