/**
 * The outcome of a mirror, as lines of JSON or as Markdown. It has keys of rows, names of columns and counts, and no other
 * values than words of vocabularies.
 */
import type * as Source from "../Source.ts"
import type { Dangling, Refusal } from "./MirrorTarget.ts"
import type { Outcome } from "./ResourcePass.ts"
import type { Unforeseen } from "./UnforeseenValues.ts"

/** Rows of a resource that the source no longer returns. */
interface Gone {
  readonly resource: string
  readonly rows: number
  /** The first keys. */
  readonly keys: ReadonlyArray<string>
  /** The rows that the rules of the store keep. */
  readonly kept: ReadonlyArray<Refusal>
  readonly pruned: boolean
}

export interface MirrorReport {
  readonly source: { readonly name: string; readonly restUrl: string }
  readonly leftOut: Source.Source["leftOut"]
  /** True when the run continued an interrupted one. */
  readonly isContinued: boolean
  readonly outcomes: ReadonlyArray<Outcome>
  readonly gone: ReadonlyArray<Gone>
  readonly unforeseen: ReadonlyArray<Unforeseen>
  readonly dangling: ReadonlyArray<Dangling>
  /** The number of mirrored webhooks, which are paused. */
  readonly paused: number
  readonly seconds: number
  /** The number of rows that this run has read. */
  readonly rows: number
}

interface Totals {
  readonly read: number
  readonly created: number
  readonly changed: number
  readonly gone: number
  readonly refused: number
}

/** The sums of all resources. */
export const totals = ({ gone, outcomes }: MirrorReport): Totals => ({
  read: outcomes.reduce((sum, { counts }) => sum + counts.read, 0),
  created: outcomes.reduce((sum, { counts }) => sum + counts.created, 0),
  changed: outcomes.reduce((sum, { counts }) => sum + counts.changed + counts.reread, 0),
  gone: gone.reduce((sum, { rows }) => sum + rows, 0),
  refused: outcomes.reduce((sum, { refused }) => sum + refused.length, 0)
})

const rate = ({ rows, seconds }: MirrorReport): number => Math.round(rows / Math.max(seconds, 0.001))

const goneOf = ({ gone }: MirrorReport, name: string) => gone.find(({ resource }) => resource === name)

/** The lines of JSON: one for each resource and finding, the summary last. */
export const toLines = (report: MirrorReport): ReadonlyArray<string> => {
  const { dangling, gone, isContinued, leftOut, outcomes, paused, seconds, source, unforeseen } = report
  const lines: ReadonlyArray<object> = [
    { type: "source", ...source },
    ...leftOut.map((resource) => ({ type: "leftOut", ...resource })),
    ...outcomes.map(({ counts: { changed, created, read, reread }, isIncremental, order, resource, unsteady }) => ({
      type: "resource",
      resource,
      read,
      created,
      changed: changed + reread,
      unchanged: Math.max(0, read - created - changed),
      gone: goneOf(report, resource)?.rows ?? 0,
      incremental: isIncremental,
      order,
      ...(reread > 0 && { readAgain: reread }),
      ...(unsteady !== undefined && { changedWhileRead: unsteady })
    })),
    ...unforeseen.map((one) => ({ type: "unforeseen", ...one })),
    ...outcomes.flatMap(({ refused, resource }) => refused.map((one) => ({ type: "refused", resource, ...one }))),
    ...gone.flatMap(({ keys, pruned, resource }) => keys.map((key) => ({ type: "gone", resource, key, pruned }))),
    ...gone.flatMap(({ kept, resource }) => kept.map((one) => ({ type: "kept", resource, ...one }))),
    ...dangling.map((one) => ({ type: "dangling", ...one })),
    ...(paused === 0 ? [] : [{ type: "paused", resource: "webhook", rows: paused }]),
    {
      type: "summary",
      ...totals(report),
      continued: isContinued,
      seconds: Math.round(seconds * 10) / 10,
      rate: rate(report)
    }
  ]
  return lines.map((line) => JSON.stringify(line))
}

const cell = (value: unknown): string => String(value).replaceAll(/[|\n]/g, " ")

const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<unknown>>): ReadonlyArray<string> =>
  rows.length === 0
    ? []
    : [
        `| ${head.join(" | ")} |`,
        `|${head.map(() => "---").join("|")}|`,
        ...rows.map((row) => `| ${row.map(cell).join(" | ")} |`)
      ]

const section = (title: string, lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.length === 0 ? [] : ["", `## ${title}`, "", ...lines]

/** The report as Markdown. */
export const toMarkdown = (report: MirrorReport): string => {
  const { dangling, gone, leftOut, outcomes, paused, seconds, source, unforeseen } = report
  const { changed, created, gone: lost, read, refused } = totals(report)
  const unsteady = outcomes.filter(({ counts, unsteady }) => unsteady !== undefined || counts.reread > 0)
  const lines = [
    `# Mirror of ${source.name}`,
    "",
    `${source.restUrl}: ${read} rows read, ${created} new, ${changed} changed, ${lost} gone, ${refused} refused in ${seconds.toFixed(1)} s (${rate(report)} rows/s).`,
    ...section(
      "Resources",
      table(
        ["resource", "read", "new", "changed", "gone", "order"],
        outcomes
          .filter(({ counts, resource }) => counts.read > 0 || goneOf(report, resource) !== undefined)
          .map(({ counts, order, resource }) => [
            resource,
            counts.read,
            counts.created,
            counts.changed + counts.reread,
            goneOf(report, resource)?.rows ?? 0,
            order
          ])
      )
    ),
    ...section(
      "Resources left out",
      table(
        ["resource", "status", "code", "reason"],
        leftOut.map(({ code = "", reason, resource, status }) => [resource, status, code, reason])
      )
    ),
    ...section(
      "Changed while read",
      table(
        ["resource", "read", "rows of the source", "read again"],
        unsteady.map(({ counts, resource, unsteady }) => [
          resource,
          counts.read,
          unsteady?.now ?? counts.read,
          counts.reread
        ])
      )
    ),
    ...section(
      "Not foreseen by the contract",
      table(
        ["column", "problem", "expected", "found", "rows", "first key"],
        unforeseen.map(({ column, expected, found, key, problem, resource, rows }) => [
          `${resource}.${column}`,
          problem,
          expected,
          found,
          rows,
          key
        ])
      )
    ),
    ...section(
      "Refused by the store",
      table(
        ["resource", "key", "reason"],
        outcomes.flatMap(({ refused, resource }) => refused.map(({ key, reason }) => [resource, key, reason]))
      )
    ),
    ...section(
      "Gone at the source",
      table(
        ["resource", "key", "pruned"],
        gone.flatMap(({ keys, pruned, resource }) => keys.map((key) => [resource, key, pruned ? "yes" : "no"]))
      )
    ),
    ...section(
      "References to rows that were left out",
      table(
        ["column", "refers to", "rows", "examples"],
        dangling.map(({ column, examples, parent, resource, rows }) => [
          `${resource}.${column}`,
          parent,
          rows,
          examples.join(", ")
        ])
      )
    ),
    ...section("Webhooks", paused === 0 ? [] : [`${paused} webhooks are mirrored as inactive.`])
  ]
  return `${lines.join("\n")}\n`
}
