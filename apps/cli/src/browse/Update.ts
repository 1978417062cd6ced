/**
 * Computes the next state of `mfg browse` from a message, and the effects that it asks for.
 */
import * as ListUpdate from "./ListUpdate.ts"
import * as Model from "./Model.ts"
import * as OverlayUpdate from "./OverlayUpdate.ts"
import * as Requests from "./Requests.ts"
import * as RowUpdate from "./RowUpdate.ts"

/** Goes back to the screen before, whose page is loaded again where the terminal has another size now. */
const back = (model: Model.Model): Model.Next => {
  const [first, ...others] = model.screens
  if (others.length === 0) {
    const shown = Model.screen(model)
    const isFiltered = (shown._tag === "List" || shown._tag === "Resources") && shown.filter !== ""
    return isFiltered ? Requests.filter(model, "", 0) : [{ ...model, notice: "Press q to quit." }, []]
  }
  // The response to the latest request is for the screen that is left.
  const request = model.request + 1
  return Requests.fitted({ ...model, request, screens: [first, ...others.slice(0, -1)], isLoading: false })
}

/** The keys that mean the same on every screen. */
const general = (model: Model.Model, name: string): Model.Next | undefined => {
  switch (name) {
    case "q":
    case "ctrl-c":
      return [model, [{ _tag: "Quit" }]]
    case "ctrl-z":
      return [model, [{ _tag: "Suspend" }]]
    case "?":
      return [{ ...model, overlay: { _tag: "Help" } }, []]
    case "escape":
    case "backspace":
      return back(model)
    default:
      return undefined
  }
}

const pressed = (model: Model.Model, key: Model.Key): Model.Next => {
  if (model.overlay._tag !== "None") return OverlayUpdate.pressed(model, model.overlay, key)
  const found = general({ ...model, notice: "" }, key.name)
  if (found !== undefined) return found
  const shown = Model.screen(model)
  const plain = { ...model, notice: "" }
  switch (shown._tag) {
    case "List":
      return ListUpdate.pressed(plain, shown, key)
    case "Resources":
      return RowUpdate.pressedResources(plain, shown, key)
    case "Row":
      return RowUpdate.pressedRow(plain, shown, key)
    case "Value":
      return RowUpdate.pressedValue(plain, shown, key)
  }
}

/** The next state. */
export const update = (model: Model.Model, message: Model.Message): Model.Next => {
  switch (message._tag) {
    case "Pressed":
      return pressed(model, message.key)
    case "Resized":
      return Requests.fitted({ ...model, size: message.size })
    case "PageLoaded":
      return message.request === model.request ? ListUpdate.loaded(model, message.page) : [model, []]
    case "RowLoaded": {
      const shown = Model.screen(model)
      return message.request === model.request && shown._tag === "Row"
        ? [{ ...Model.show(model, { ...shown, row: message.row }), isLoading: false }, []]
        : [model, []]
    }
    case "Failed":
      return message.request === model.request ? failed(model, message.failure) : [model, []]
  }
}

/** A failure is shown. Before anything was, it ends the command. */
const failed = (model: Model.Model, failure: Parameters<typeof Requests.notice>[1]): Model.Next => {
  const shown = Model.screen(model)
  const isFirst = model.screens.length === 1 && shown._tag === "List" && shown.page === undefined
  if (isFirst && shown.filter === "") return [model, [{ _tag: "Fail", failure }]]
  return [Requests.notice({ ...model, isLoading: false }, failure), []]
}
