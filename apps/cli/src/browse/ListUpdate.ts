/**
 * The keys of a list, and the pages that it receives.
 */
import * as Model from "./Model.ts"
import * as PageRequest from "./PageRequest.ts"
import * as Requests from "./Requests.ts"

type Position = "first" | "last"

/** The index of a row once its page is loaded: the last one of a page that is reached from below. */
const indexOf = (position: Position): number => (position === "first" ? 0 : Number.MAX_SAFE_INTEGER)

const turn = (model: Model.Model, list: Model.ListScreen, anchor: PageRequest.Anchor, position: Position): Model.Next =>
  // The next page begins where this one ends, so it has to be known.
  model.isLoading ? [model, []] : Requests.page(model, { ...list, anchor, selected: indexOf(position) })

const nextPage = (model: Model.Model, list: Model.ListScreen, position: Position): Model.Next => {
  const last = list.page?.rows.at(-1)
  return last === undefined || list.page?.hasAfter !== true
    ? [model, []]
    : turn(model, list, PageRequest.after(list, last), position)
}

const previousPage = (model: Model.Model, list: Model.ListScreen, position: Position): Model.Next => {
  const first = list.page?.rows[0]
  return first === undefined || list.page?.hasBefore !== true
    ? [model, []]
    : turn(model, list, PageRequest.before(list, first), position)
}

const moved = (model: Model.Model, list: Model.ListScreen, by: -1 | 1): Model.Next => {
  const count = list.page?.rows.length ?? 0
  const selected = list.selected + by
  if (selected < 0) return previousPage(model, list, "last")
  if (selected >= count) return nextPage(model, list, "first")
  return [Model.show(model, { ...list, selected }), []]
}

/** The order by the selected column: ascending, descending, and then by key again. */
const sorted = (model: Model.Model, list: Model.ListScreen): Model.Next => {
  const column = list.columns[list.column] ?? list.resource.key
  const isSame = list.sort?.column === column
  const sort = !isSame
    ? { column, descending: false }
    : list.sort?.descending
      ? undefined
      : { column, descending: true }
  return Requests.page(model, { ...list, sort, anchor: { _tag: "First" }, selected: 0 })
}

const opened = (model: Model.Model, list: Model.ListScreen): Model.Next => {
  const row = list.page?.rows[list.selected]
  if (row === undefined) return [model, []]
  const screen = Model.row(list.resource, String(row[list.resource.key]))
  return Requests.row(Model.push(model, screen), screen)
}

const atColumn = (model: Model.Model, list: Model.ListScreen, column: number): Model.Next => [
  Model.show(model, { ...list, column: Math.max(0, Math.min(column, list.columns.length - 1)) }),
  []
]

/** The state after a key. */
export const pressed = (model: Model.Model, list: Model.ListScreen, { name }: Model.Key): Model.Next => {
  switch (name) {
    case "down":
    case "j":
      return moved(model, list, 1)
    case "up":
    case "k":
      return moved(model, list, -1)
    case "pagedown":
    case "space":
      return nextPage(model, list, "first")
    case "pageup":
    case "b":
      return previousPage(model, list, "first")
    case "home":
    case "g":
      return turn(model, list, { _tag: "First" }, "first")
    case "end":
    case "G":
      return turn(model, list, { _tag: "Last" }, "last")
    case "right":
    case "l":
      return atColumn(model, list, list.column + 1)
    case "left":
    case "h":
      return atColumn(model, list, list.column - 1)
    case "return":
      return opened(model, list)
    case "s":
      return sorted(model, list)
    case "r":
      return Requests.page(model, list)
    case "/":
      return [{ ...model, overlay: { _tag: "Filter", text: list.filter, before: list.filter } }, []]
    case "c":
      return [{ ...model, overlay: { _tag: "Columns", selected: 0, chosen: new Set(list.columns) } }, []]
    default:
      return [model, []]
  }
}

/** The state with a page that has arrived. */
export const loaded = (model: Model.Model, page: PageRequest.Page): Model.Next => {
  const list = Model.screen(model)
  if (list._tag !== "List") return [model, []]
  // A page before others that has room left is at the start: the first page fills it.
  if (list.anchor._tag === "Before" && !page.hasBefore && page.rows.length < page.limit) {
    return Requests.page(model, { ...list, anchor: { _tag: "First" } })
  }
  const selected = Math.max(0, Math.min(list.selected, page.rows.length - 1))
  return [{ ...Model.show(model, { ...list, page, selected }), isLoading: false }, []]
}
