/**
 * The keys of what is above a screen: the help, the filter, and the choice of columns.
 */
import * as Fields from "../Fields.ts"
import * as Model from "./Model.ts"
import * as Requests from "./Requests.ts"

/** The time in milliseconds after the last key press of a filter until it is applied. */
const typingPause = 150

const closed = (model: Model.Model): Model.Model => ({ ...model, overlay: { _tag: "None" } })

type FilterOverlay = Extract<Model.Overlay, { readonly _tag: "Filter" }>
type ColumnsOverlay = Extract<Model.Overlay, { readonly _tag: "Columns" }>

const typed = (model: Model.Model, overlay: FilterOverlay, text: string): Model.Next =>
  Requests.filter({ ...model, overlay: { ...overlay, text } }, text, typingPause)

const inFilter = (model: Model.Model, overlay: FilterOverlay, { name, text }: Model.Key): Model.Next => {
  switch (name) {
    case "return":
      return [closed(model), []]
    case "escape":
      return Requests.filter(closed(model), overlay.before, 0)
    case "backspace":
      return typed(model, overlay, [...overlay.text].slice(0, -1).join(""))
    case "ctrl-u":
      return typed(model, overlay, "")
    default:
      return text === "" ? [model, []] : typed(model, overlay, overlay.text + text)
  }
}

const inColumns = (model: Model.Model, overlay: ColumnsOverlay, { name }: Model.Key): Model.Next => {
  const list = Model.screen(model)
  if (list._tag !== "List") return [closed(model), []]
  const names = Fields.names(list.resource)
  const at = (selected: number): Model.Next => [
    { ...model, overlay: { ...overlay, selected: Math.max(0, Math.min(selected, names.length - 1)) } },
    []
  ]
  switch (name) {
    case "down":
    case "j":
      return at(overlay.selected + 1)
    case "up":
    case "k":
      return at(overlay.selected - 1)
    case "space": {
      const chosen = new Set(overlay.chosen)
      const column = names[overlay.selected] ?? ""
      // The key leads to the row, so it stays.
      if (column !== list.resource.key && !chosen.delete(column)) chosen.add(column)
      return [{ ...model, overlay: { ...overlay, chosen } }, []]
    }
    case "return":
      return Requests.page(closed(model), {
        ...list,
        columns: names.filter((column) => overlay.chosen.has(column)),
        column: 0
      })
    case "escape":
    case "c":
      return [closed(model), []]
    default:
      return [model, []]
  }
}

/** The state after a key. */
export const pressed = (model: Model.Model, overlay: Model.Overlay, key: Model.Key): Model.Next => {
  if (key.name === "ctrl-c") return [model, [{ _tag: "Quit" }]]
  if (key.name === "ctrl-z") return [model, [{ _tag: "Suspend" }]]
  switch (overlay._tag) {
    case "Filter":
      return inFilter(model, overlay, key)
    case "Columns":
      return inColumns(model, overlay, key)
    case "Help":
    case "None":
      return [closed(model), []]
  }
}
