/**
 * Lays out the other screens: the resources, a row with its relations, and a value.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Cell from "@mfgdata/shell/output/Cell"
import * as Line from "./Line.ts"
import * as Model from "./Model.ts"
import * as RowItem from "./RowItem.ts"
import * as ValueText from "./ValueText.ts"

type Lines = ReadonlyArray<Line.Line>

/** The list of resources. */
export const resources = (shown: Model.ResourcesScreen, { columns }: Model.Size, height: number): Lines => {
  const names = Model.matching(shown).map(({ resource }) => resource)
  const part = Line.around(names, shown.selected, height)
  const header = Line.fit(`${names.length} of ${Catalogue.resources.length} resources`, columns, "bold")
  return [
    header,
    ...part.shown.map((name, index) =>
      part.first + index === shown.selected ? Line.bar(name, "", columns, "selected") : Line.fit(name, columns)
    )
  ]
}

const itemLine = (item: RowItem.RowItem, width: number, room: number): readonly [text: string, style: Line.Style] => {
  if (item._tag === "Children") return [`→ ${item.child.resource} whose ${item.column} is this row`, "link"]
  const name = Cell.pad(item.name, width, false)
  const target = item.reference === undefined ? "" : ` → ${item.reference.parent.resource}`
  const left = Math.max(1, room - width - 2 - Cell.width(target))
  const text = Cell.text(item.value).slice(0, 4 * room)
  return [`${name}  ${Cell.truncate(text, left)}${target}`, item.reference === undefined ? "plain" : "link"]
}

/** The fields of a row, and its relations. */
export const row = (shown: Model.RowScreen, { columns }: Model.Size, height: number): Lines => {
  const header = Line.fit(`${shown.resource.resource} ${shown.key}`, columns, "bold")
  const items = shown.row === undefined ? [] : RowItem.of(shown.resource, shown.row)
  const names = items.flatMap((item) => (item._tag === "Field" ? [Cell.width(item.name)] : []))
  const width = Math.min(Math.max(0, ...names), columns >> 1)
  const part = Line.around(items, shown.selected, height)
  return [
    header,
    ...part.shown.map((item, index) => {
      const [text, style] = itemLine(item, width, columns)
      return part.first + index === shown.selected
        ? Line.bar(Cell.truncate(text, columns), "", columns, "selected")
        : Line.fit(text, columns, style)
    })
  ]
}

/** The lines of a value. */
export const value = ({ text, title, top }: Model.ValueScreen, { columns }: Model.Size, height: number): Lines => {
  const all = ValueText.lines(text, columns)
  const header = Line.fit(`${title}, line ${top + 1} of ${all.length}`, columns, "bold")
  return [header, ...all.slice(top, top + height).map((line) => Line.fit(line, columns))]
}
