/**
 * Checks that the table of docs/rules.md is generated from the declarations of the domain. `--update` writes it.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Column from "@mfgdata/domain/Column"
import type * as Resource from "@mfgdata/domain/Resource"
import { describe, expect, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as MarkdownTable from "../src/MarkdownTable.ts"
import * as Program from "../src/Program.ts"

const path = join(Program.root, "docs/rules.md")

const update = "npx vitest run --project acceptance acceptance/test/RulesDocument.test.ts --update"

const code = (text: string): string => `\`${text}\``
const oneOf = (values: ReadonlyArray<string>): string => `one of ${values.map(code).join(", ")}`

/** A rule of a field in both rule sets, `contract` first. */
type Difference = ReadonlyArray<string>

const ofType = (
  resource: Resource.Any,
  { name, type, vocabulary, write }: Column.Column
): ReadonlyArray<Difference> => {
  const value = resource.rules.defaults[name]
  return [
    ...(vocabulary === undefined ? [] : [["any text that is not empty", oneOf(vocabulary.known)]]),
    ...(type === "array" ? [["elements of any JSON", "elements of text"]] : []),
    ...(name === "companyId"
      ? [[write === "optional" ? "any text, or null" : "any text", "the company of the API key"]]
      : []),
    ...(value?._tag === "YearOf" ? [["null when absent", `the year of ${code(value.column)} when absent`]] : [])
  ]
}

const ofReference = (resource: Resource.Any, { name }: Column.Column): ReadonlyArray<Difference> =>
  Catalogue.references
    .filter(({ child, column }) => child === resource && column === name)
    .map(({ field, parent }) => {
      const row = code(`${parent.resource}.${field}`)
      const isCascade = resource.rules.onParentDelete[name] === "cascade"
      return ["any text", `an existing ${row}; ${isCascade ? "deleted with it" : "its deletion is refused"}`]
    })

const ofUniqueness = ({ rules }: Resource.Any, { name }: Column.Column): ReadonlyArray<Difference> =>
  rules.unique
    .filter(({ columns }) => columns.includes(name))
    .map(({ columns }) => {
      const others = columns.filter((column) => column !== name)
      return ["may repeat", others.length === 0 ? "unique" : `unique together with ${others.map(code).join(", ")}`]
    })

const ofCheck = ({ rules }: Resource.Any, { name }: Column.Column): ReadonlyArray<Difference> =>
  rules.checks.flatMap((check): ReadonlyArray<Difference> => {
    switch (check._tag) {
      case "OneOf":
        return check.column === name ? [["any text", oneOf(check.values)]] : []
      case "Required":
        return check.anyOf.includes(name)
          ? [
              [
                "may be null",
                `present, or ${check.anyOf
                  .filter((column) => column !== name)
                  .map(code)
                  .join(", ")} is`
              ]
            ]
          : []
      case "PresentWhen":
        return check.column === name
          ? [["may be null", `present exactly when ${code(check.when)} is ${code(check.equals)}`]]
          : []
    }
  })

const rows = Catalogue.resources.flatMap((resource: Resource.Any) =>
  Column.fromResource(resource)
    .filter(({ write }) => write !== "never")
    .flatMap((column): ReadonlyArray<ReadonlyArray<string>> => {
      const differences = [ofType, ofReference, ofUniqueness, ofCheck].flatMap((of) => of(resource, column))
      if (differences.length === 0) return []
      const [contract, known] = [0, 1].map((at) => [...new Set(differences.map((pair) => pair[at]))].join("; "))
      return [[code(`${resource.resource}.${column.name}`), contract ?? "", known ?? ""]]
    })
)

describe("docs/rules.md", () => {
  it("shows the differences between the rule sets, field by field", async () => {
    const page = readFileSync(path, "utf8")
    const marker = "<!-- generated from the declarations in packages/domain -->"
    expect(page).toContain(marker)
    const generated = `${page.slice(0, page.indexOf(marker) + marker.length)}\n\n${MarkdownTable.make(
      ["Field", "`contract`", "`public`"],
      rows
    )}\n`
    await expect(
      generated,
      `docs/rules.md differs from the declarations; write it anew with: ${update}`
    ).toMatchFileSnapshot(path)
  })
})
