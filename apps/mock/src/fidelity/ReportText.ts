/**
 * Prints the report of a comparison: as Markdown, as lines of JSON, and as text for a terminal.
 */
import { type Difference, type Exchange, verdicts } from "@mfgdata/client/contract/Difference"
import { verbs } from "@mfgdata/client/contract/Probe"
import type { Report } from "@mfgdata/client/contract/Report"
import * as Score from "@mfgdata/client/contract/Score"

const headings: { readonly [V in Difference["verdict"]]: string } = {
  "breaks-types": "Breaks the types of the client",
  "breaks-errors": "Breaks the errors of the client",
  visible: "Visible",
  cosmetic: "Cosmetic"
}

const places = ({ places }: Difference): string => {
  const subjects = Object.keys(places)
  const shown = subjects.slice(0, 3).join(", ")
  return subjects.length > 3 ? `${shown} and ${subjects.length - 3} more` : shown
}

const seen = ({ seen: { of, times } }: Difference): string => `${times} of ${of}`

/** The columns of the table of the score: verbs that were probed. */
const scoredVerbs = ({ subjects }: Score.Score) =>
  verbs.filter((verb) => Object.values(subjects).some((subject) => Object.hasOwn(subject.verbs, verb)))

const scoreRows = (score: Score.Score): ReadonlyArray<ReadonlyArray<string>> => {
  const columns = scoredVerbs(score)
  return [
    ["", ...columns, "all"],
    ...Object.entries(score.subjects).map(([subject, { total, verbs }]) => [
      subject,
      ...columns.map((verb) => (verbs[verb] === undefined ? "" : Score.percent(verbs[verb]))),
      Score.percent(total)
    ])
  ]
}

/** The sentence on the whole score. */
export const total = ({ score: { total } }: Report): string =>
  `Score: ${Score.percent(total)} (${total.alike} of ${total.probes} probes alike)`

const fence = (text: string, language: string): string => {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length))
  const mark = "`".repeat(longest + 1)
  return `${mark}${language}\n${text}\n${mark}`
}

const headers = (all: Exchange["request"]["headers"]): ReadonlyArray<string> =>
  Object.entries(all).map(([name, value]) => `${name}: ${value}`)

const exchange = (side: string, { request, response }: Exchange): string =>
  [
    `${side}:`,
    "",
    fence(
      [
        `${request.method} ${request.target}`,
        ...headers(request.headers),
        ...(request.body === null ? [] : [request.body]),
        "",
        String(response.status),
        ...headers(response.headers),
        ...(response.body === "" ? [] : [response.body])
      ].join("\n"),
      "http"
    )
  ].join("\n")

const cell = (text: string): string => text.replaceAll("|", String.raw`\|`).replaceAll("\n", " ")

const table = (rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const [head = [], ...body] = rows
  const line = (cells: ReadonlyArray<string>) => `| ${cells.map(cell).join(" | ")} |`
  return [line(head), line(head.map(() => "---")), ...body.map(line)].join("\n")
}

const difference = (one: Difference): string =>
  [
    `### ${places(one)}, ${one.probe}: ${one.message}`,
    `${one.class}, seen ${seen(one)}`,
    fence(one.curl, "sh"),
    ...(one.exchanges.ours === null ? [] : [exchange("Ours", one.exchanges.ours)]),
    ...(one.exchanges.theirs === null ? [] : [exchange("Theirs", one.exchanges.theirs)])
  ].join("\n\n")

/** The subjects that were not compared, and the reasons. */
const notes = ({ changing, empty, left, leftOut, notWritten }: Report): ReadonlyArray<string> => [
  ...leftOut.map(
    ({ code, reason, status, subject }) =>
      `Left out ${subject}: status ${status}${code === null ? "" : `, ${code}`}: ${reason}`
  ),
  ...changing.map((name) => `The rows of ${name} changed while they were read: probes of one row were left out.`),
  ...empty.map((name) => `${name} has no rows on one side: probes of one row were left out.`),
  ...notWritten.map(({ reason, subject }) => `Nothing was written to ${subject}: ${reason}.`),
  ...left.map(({ key, reason, subject }) => `Could not remove the row ${key} of ${subject}: ${reason}.`)
]

/** The report as Markdown, the score last. */
export const markdown = (report: Report): string => {
  const { differences, finishedAt, ours, score, theirs } = report
  const sections = verdicts.flatMap((verdict) => {
    const some = differences.filter((difference) => difference.verdict === verdict)
    return some.length === 0 ? [] : [`## ${headings[verdict]} (${some.length})`, ...some.map(difference)]
  })
  const left = notes(report)
  return `${[
    `# ${theirs.name} compared with ${ours.name}`,
    `${theirs.restUrl}, ${finishedAt}`,
    ...(sections.length === 0 ? ["No differences."] : sections),
    ...(left.length === 0 ? [] : ["## Left out", left.map((note) => `- ${note}`).join("\n")]),
    "## Score",
    table(scoreRows(score)),
    total(report)
  ].join("\n\n")}\n`
}

/** The report as lines of JSON: the differences, the notes, and the score last. */
export const ndjson = ({ changing, differences, empty, left, leftOut, notWritten, score }: Report): string =>
  [
    ...differences.map((difference) => ({ difference })),
    ...leftOut.map((leftOut) => ({ leftOut })),
    ...changing.map((changing) => ({ changing })),
    ...empty.map((empty) => ({ empty })),
    ...notWritten.map((notWritten) => ({ notWritten })),
    ...left.map((left) => ({ left })),
    { score }
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join("")

const aligned = (rows: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<string> => {
  const widths = (rows[0] ?? []).map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join("  ")
      .trimEnd()
  )
}

/** The report for a terminal, the score last. */
export const text = (report: Report): string => {
  const { differences, score } = report
  return `${[
    ...differences.flatMap((one) => [
      `${one.verdict}: ${places(one)}, ${one.probe}: ${one.message} (seen ${seen(one)})`,
      `  ${one.curl}`
    ]),
    ...(differences.length === 0 ? ["No differences."] : []),
    ...notes(report),
    "",
    ...aligned(scoreRows(score)),
    "",
    total(report)
  ].join("\n")}\n`
}
