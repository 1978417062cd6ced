/**
 * Lays out a state as the lines of the terminal: the title, the screen or what is above it, and the last line.
 */
import * as Cell from "@mfgdata/shell/output/Cell"
import * as Fields from "../Fields.ts"
import * as Line from "./Line.ts"
import * as ListView from "./ListView.ts"
import * as Model from "./Model.ts"
import * as RowView from "./RowView.ts"

/** The keys, and what they do. */
const keys = [
  ["↑ ↓  k j", "row, field or line before and after"],
  ["PgUp PgDn  b Space", "page before and after"],
  ["Home End  g G", "first and last page"],
  ["← →  h l", "column before and after"],
  ["Enter", "open the row, follow the reference, show the whole value"],
  ["Esc Backspace", "back"],
  ["/", "filter: a text, or conditions such as status=Draft and quantity>10"],
  ["s", "order by the column: ascending, descending, by key"],
  ["c", "choose the columns"],
  ["r", "load again"],
  ["Ctrl-Z", "suspend"],
  ["q Ctrl-C", "quit"]
] as const

const nameOf = (screen: Model.Screen): string => {
  switch (screen._tag) {
    case "Resources":
      return "resources"
    case "List": {
      const fixed = screen.fixed.map(([name, value]) => `${name}=${value}`)
      return [screen.resource.resource, ...fixed].join(" ")
    }
    case "Row":
      return screen.key
    case "Value":
      return screen.title
  }
}

/** The way to the shown screen, cut at its beginning. */
const title = ({ screens, size }: Model.Model): Line.Line => {
  const names = screens.map(nameOf)
  while (names.length > 1 && Cell.width(names.join(" › ")) > size.columns - 10) names.shift()
  return Line.bar(
    ` ${names.length < screens.length ? "… › " : ""}${names.join(" › ")}`,
    "mfg browse ",
    size.columns,
    "bar"
  )
}

const helpLines = (model: Model.Model): ReadonlyArray<Line.Line> => {
  const { columns } = model.size
  const width = Math.max(...keys.map(([key]) => Cell.width(key)))
  return [
    Line.fit("KEYS", columns, "bold"),
    ...keys.map(([key, meaning]) => Line.fit(`  ${Cell.pad(key, width, false)}  ${meaning}`, columns)),
    [],
    Line.fit("Any key closes this help.", columns, "dim")
  ]
}

const columnLines = (
  model: Model.Model,
  { chosen, selected }: Extract<Model.Overlay, { readonly _tag: "Columns" }>,
  list: Model.ListScreen
): ReadonlyArray<Line.Line> => {
  const { columns } = model.size
  const part = Line.around(Fields.names(list.resource), selected, Model.height(model))
  return [
    Line.fit("COLUMNS", columns, "bold"),
    ...part.shown.map((name, index) => {
      const text = `${chosen.has(name) ? "[x]" : "[ ]"} ${name}`
      return part.first + index === selected ? Line.bar(text, "", columns, "selected") : Line.fit(text, columns)
    })
  ]
}

const body = (model: Model.Model): ReadonlyArray<Line.Line> => {
  const { overlay, size } = model
  const shown = Model.screen(model)
  if (overlay._tag === "Help") return helpLines(model)
  if (overlay._tag === "Columns" && shown._tag === "List") return columnLines(model, overlay, shown)
  const height = Model.height(model)
  switch (shown._tag) {
    case "Resources":
      return RowView.resources(shown, size, height)
    case "List":
      return ListView.lines(shown, size, height)
    case "Row":
      return RowView.row(shown, size, height)
    case "Value":
      return RowView.value(shown, size, height)
  }
}

const hints: { readonly [T in Model.Screen["_tag"]]: string } = {
  Resources: "Enter open  / filter  ? help  q quit",
  List: "Enter open  / filter  s order  c columns  ? help  q quit",
  Row: "Enter follow  Esc back  ? help  q quit",
  Value: "Esc back  ? help  q quit"
}

/** The position in a list: the pages before and after it. */
const position = (model: Model.Model): string => {
  const shown = Model.screen(model)
  if (model.isLoading) return "loading… "
  if (shown._tag !== "List" || shown.page === undefined) return ""
  const { hasAfter, hasBefore } = shown.page
  return hasBefore && hasAfter ? "more ↑↓ " : hasAfter ? "more ↓ " : hasBefore ? "more ↑ " : "all rows "
}

const foot = (model: Model.Model): Line.Line => {
  const { notice, overlay, size } = model
  const shown = Model.screen(model)
  const filter = shown._tag === "List" || shown._tag === "Resources" ? shown.filter : ""
  const message = notice.replaceAll(/\s+/g, " ")
  if (overlay._tag === "Filter") {
    const typed = ` / ${overlay.text}▏ `
    const room = Math.max(0, size.columns - Cell.width(typed))
    const right = message === "" ? `Enter apply  Esc cancel  ${position(model)}` : message
    return room < 12
      ? Line.fit(typed, size.columns)
      : [Line.span(typed), Line.span(Cell.truncate(right, room), message === "" ? "dim" : "error")]
  }
  if (message !== "") return Line.fit(` ${message}`, size.columns, "error")
  if (overlay._tag === "Columns") return Line.fit(" Space choose  Enter apply  Esc cancel", size.columns, "dim")
  const left = filter === "" ? ` ${hints[shown._tag]}` : ` / ${filter}  (Esc clears)`
  return Line.bar(left, position(model), size.columns, "dim")
}

/** The smallest terminal that has room for a row. */
const least: Model.Size = { columns: 20, rows: 5 }

/** The lines of the terminal, as many as it has. */
export const view = (model: Model.Model): ReadonlyArray<Line.Line> => {
  const { columns, rows } = model.size
  if (columns < least.columns || rows < least.rows) return [Line.fit("The terminal is too small.", columns)]
  const middle = body(model).slice(0, rows - 2)
  const blank = Array.from({ length: rows - 2 - middle.length }, (): Line.Line => [])
  return [title(model), ...middle, ...blank, foot(model)]
}
