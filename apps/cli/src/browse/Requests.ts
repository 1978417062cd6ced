/**
 * Makes the requests of a state: for the page of its list, or for its row.
 */
import type { Failure } from "@mfgdata/shell/Program"
import * as Either from "effect/Either"
import * as Model from "./Model.ts"
import * as TypedFilter from "./TypedFilter.ts"

/** Shows a failure on the last line. */
export const notice = (model: Model.Model, { message }: Failure): Model.Model => ({ ...model, notice: message })

/** Loads the page of a list, after a delay in milliseconds in which another request may replace this one. */
export const page = (model: Model.Model, list: Model.ListScreen, delay = 0): Model.Next => {
  const shown = Model.show(model, list)
  return Either.match(TypedFilter.parse(list.resource, list.columns, list.filter), {
    onLeft: (mistake): Model.Next => [{ ...shown, notice: mistake }, []],
    onRight: (conditions): Model.Next => {
      const request = model.request + 1
      const { anchor, columns, fixed, resource, sort } = list
      const query = { resource, columns, sort, anchor, where: [...fixed, ...conditions], limit: Model.height(model) }
      return [{ ...shown, request, isLoading: true, notice: "" }, [{ _tag: "LoadPage", request, delay, query }]]
    }
  })
}

/** Loads the row of a screen. */
export const row = (model: Model.Model, { key, resource }: Model.RowScreen): Model.Next => {
  const request = model.request + 1
  return [{ ...model, request, isLoading: true }, [{ _tag: "LoadRow", request, resource, key }]]
}

/** Sets the filter of the shown screen, and loads the first page that matches. */
export const filter = (model: Model.Model, text: string, delay: number): Model.Next => {
  const shown = Model.screen(model)
  if (shown._tag === "Resources") return [Model.show(model, { ...shown, filter: text, selected: 0 }), []]
  return shown._tag === "List"
    ? page(model, { ...shown, filter: text, anchor: { _tag: "First" }, selected: 0 }, delay)
    : [model, []]
}

/** Loads the page of the shown list again where it has another number of lines. */
export const fitted = (model: Model.Model): Model.Next => {
  const shown = Model.screen(model)
  return shown._tag === "List" && shown.page?.limit !== Model.height(model) ? page(model, shown) : [model, []]
}
