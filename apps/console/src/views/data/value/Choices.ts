/**
 * The values that a column offers: the words of its vocabulary, and the rows that it refers to.
 */
import type { JsonObject } from "@mfgdata/domain/Json"
import * as Catalogue from "../../../service/Catalogue.ts"
import * as CellText from "./CellText.ts"
import { amongWords, type Choice } from "./Combobox.tsx"
import { rows } from "../edits/Edits.ts"
import * as GridQuery from "../query/GridQuery.ts"

export type Find = (text: string, signal: AbortSignal) => Promise<ReadonlyArray<Choice>>

const most = 12

/** The columns by which a person recognizes a row. */
export const titleColumns = ({ columns, key }: Catalogue.ResourceInfo): ReadonlyArray<string> =>
  columns
    .filter(
      ({ name, reference, sensitive, type, vocabulary }) =>
        type === "text" && name !== key && reference === undefined && vocabulary === undefined && !sensitive
    )
    .map(({ name }) => name)
    .toSorted((one, other) => Number(/name|Id$/i.test(other)) - Number(/name|Id$/i.test(one)))
    .slice(0, 2)

/** The text by which a person knows a row. */
export const titleOf = (resource: Catalogue.ResourceInfo, row: JsonObject): string =>
  titleColumns(resource)
    .map((column) => CellText.plain(row[column]))
    .filter((text) => text !== "")
    .join(" · ")

const inResource =
  (target: Catalogue.ResourceInfo, field: string): Find =>
  async (text, signal) => {
    const columns = [...new Set([field, ...titleColumns(target)])]
    const pattern = GridQuery.quote(`*${text.replaceAll(/[\\%_]/g, "\\$&")}*`)
    const matching =
      text.trim() === ""
        ? ""
        : `&or=${encodeURIComponent(`(${columns.map((column) => `${column}.ilike.${pattern}`).join()})`)}`
    const found = await rows.list(target.name, `select=${columns.join()}${matching}&limit=${most}`, { signal })
    return found.map((row) => ({ value: CellText.plain(row[field]), note: titleOf(target, row) }))
  }

/** The values in use, for references to resources that the service does not have. */
const inUse =
  (resource: string, column: string): Find =>
  async (text, signal) => {
    const pattern = encodeURIComponent(`*${text.replaceAll(/[\\%_]/g, "\\$&")}*`)
    const found = await rows.list(resource, `select=${column}&${column}=ilike.${pattern}&limit=200`, { signal })
    return [...new Set(found.map((row) => CellText.plain(row[column])))].slice(0, most).map((value) => ({ value }))
  }

/** The search of the choices of a column; `undefined` where any value is as good as another. */
export const of = (resource: string, { name, reference, type, vocabulary }: Catalogue.ColumnInfo): Find | undefined => {
  if (vocabulary !== undefined && type === "text") return amongWords(vocabulary.known)
  if (type === "boolean") return amongWords(["true", "false"])
  if (reference === undefined) return undefined
  const target = Catalogue.find(reference.resource)
  return target === undefined ? inUse(resource, name) : inResource(target, reference.field)
}
