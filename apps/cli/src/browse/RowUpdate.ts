/**
 * The keys of the other screens: the resources, a row with its relations, and a value.
 */
import * as Model from "./Model.ts"
import * as Requests from "./Requests.ts"
import * as RowItem from "./RowItem.ts"
import * as ValueText from "./ValueText.ts"

/** The index of a selection after a key; none for a key that moves nothing. */
const moved = (name: string, index: number, count: number, page: number): number | undefined => {
  const to = (index: number): number => Math.max(0, Math.min(index, count - 1))
  switch (name) {
    case "down":
    case "j":
      return to(index + 1)
    case "up":
    case "k":
      return to(index - 1)
    case "pagedown":
    case "space":
      return to(index + page)
    case "pageup":
    case "b":
      return to(index - page)
    case "home":
    case "g":
      return 0
    case "end":
    case "G":
      return to(count - 1)
    default:
      return undefined
  }
}

/** The state after a key on the list of resources. */
export const pressedResources = (model: Model.Model, shown: Model.ResourcesScreen, { name }: Model.Key): Model.Next => {
  const found = Model.matching(shown)
  const selected = moved(name, shown.selected, found.length, Model.height(model))
  if (selected !== undefined) return [Model.show(model, { ...shown, selected }), []]
  if (name === "/") {
    return [{ ...model, overlay: { _tag: "Filter", text: shown.filter, before: shown.filter } }, []]
  }
  const resource = found[shown.selected]
  if (name !== "return" || resource === undefined) return [model, []]
  const list = Model.list(resource)
  return Requests.page(Model.push(model, list), list)
}

/** Follows an item: to the row that a field refers to, to the rows that refer to this one, or to the whole value. */
const followed = (model: Model.Model, item: RowItem.RowItem): Model.Next => {
  if (item._tag === "Children") {
    const list = Model.list(item.child, [[item.column, `eq.${String(item.value)}`]])
    return Requests.page(Model.push(model, list), list)
  }
  const { name, reference, value } = item
  if (reference === undefined) {
    return [Model.push(model, { _tag: "Value", title: name, text: ValueText.of(value), top: 0 }), []]
  }
  const { field, parent } = reference
  if (parent.key !== field) {
    const list = Model.list(parent, [[field, `eq.${String(value)}`]])
    return Requests.page(Model.push(model, list), list)
  }
  const row = Model.row(parent, String(value))
  return Requests.row(Model.push(model, row), row)
}

/** The state after a key on a row. */
export const pressedRow = (model: Model.Model, shown: Model.RowScreen, { name }: Model.Key): Model.Next => {
  if (name === "r") return Requests.row(model, shown)
  const items = shown.row === undefined ? [] : RowItem.of(shown.resource, shown.row)
  const selected = moved(name, shown.selected, items.length, Model.height(model))
  if (selected !== undefined) return [Model.show(model, { ...shown, selected }), []]
  const item = items[shown.selected]
  return (name === "return" || name === "right" || name === "l") && item !== undefined
    ? followed(model, item)
    : [model, []]
}

/** The state after a key on a value. */
export const pressedValue = (model: Model.Model, shown: Model.ValueScreen, { name }: Model.Key): Model.Next => {
  const lines = ValueText.lines(shown.text, model.size.columns).length
  const last = Math.max(1, lines - Model.height(model) + 1)
  const top = moved(name, shown.top, last, Model.height(model))
  return [top === undefined ? model : Model.show(model, { ...shown, top }), []]
}
