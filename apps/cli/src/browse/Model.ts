/**
 * The state of `mfg browse`: a stack of screens, of which the last is shown, and an overlay above it.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Column from "@mfgdata/domain/Column"
import type { JsonObject } from "@mfgdata/domain/Json"
import type * as Resource from "@mfgdata/domain/Resource"
import type { Failure } from "@mfgdata/shell/Program"
import * as Fields from "../Fields.ts"
import type * as RowQuery from "../RowQuery.ts"
import type * as PageRequest from "./PageRequest.ts"

export interface Size {
  readonly columns: number
  readonly rows: number
}

/** The resources. */
export interface ResourcesScreen {
  readonly _tag: "Resources"
  readonly filter: string
  readonly selected: number
}

/** A page of rows. */
export interface ListScreen {
  readonly _tag: "List"
  readonly resource: Resource.Any
  /** The conditions of the command line, or of the relation that led here. */
  readonly fixed: ReadonlyArray<RowQuery.Parameter>
  readonly filter: string
  readonly sort: PageRequest.Sort | undefined
  /** The shown columns, the key first. */
  readonly columns: ReadonlyArray<string>
  /** The index of the selected column. */
  readonly column: number
  readonly anchor: PageRequest.Anchor
  readonly page: PageRequest.Page | undefined
  /** The index of the selected row. */
  readonly selected: number
}

/** The fields and relations of a row. */
export interface RowScreen {
  readonly _tag: "Row"
  readonly resource: Resource.Any
  readonly key: string
  readonly row: JsonObject | undefined
  /** The index of the selected field or relation. */
  readonly selected: number
}

/** The whole text of one value. */
export interface ValueScreen {
  readonly _tag: "Value"
  readonly title: string
  readonly text: string
  /** The index of the first shown line. */
  readonly top: number
}

export type Screen = ResourcesScreen | ListScreen | RowScreen | ValueScreen

/** The part above the screen, which gets the keys first. */
export type Overlay =
  | { readonly _tag: "None" }
  | { readonly _tag: "Help" }
  /** The filter while it is typed, and the filter before. */
  | { readonly _tag: "Filter"; readonly text: string; readonly before: string }
  | { readonly _tag: "Columns"; readonly selected: number; readonly chosen: ReadonlySet<string> }

export interface Model {
  readonly size: Size
  /** The screens on the way to the shown one, the shown one last. */
  readonly screens: readonly [Screen, ...ReadonlyArray<Screen>]
  readonly overlay: Overlay
  /** The number of the latest request: the responses of others are ignored. */
  readonly request: number
  readonly isLoading: boolean
  /** A message for the last line. */
  readonly notice: string
}

/** A key press. */
export interface Key {
  /** The name, such as `up`, `pagedown`, `return`, or the character. */
  readonly name: string
  /** The printable text of the key; empty for others. */
  readonly text: string
}

export type Message =
  | { readonly _tag: "Pressed"; readonly key: Key }
  | { readonly _tag: "Resized"; readonly size: Size }
  | { readonly _tag: "PageLoaded"; readonly request: number; readonly page: PageRequest.Page }
  | { readonly _tag: "RowLoaded"; readonly request: number; readonly row: JsonObject }
  | { readonly _tag: "Failed"; readonly request: number; readonly failure: Failure }

/** The effects that a message asks for. */
export type Command =
  | {
      readonly _tag: "LoadPage"
      readonly request: number
      readonly delay: number
      readonly query: PageRequest.PageQuery
    }
  | { readonly _tag: "LoadRow"; readonly request: number; readonly resource: Resource.Any; readonly key: string }
  | { readonly _tag: "Suspend" }
  | { readonly _tag: "Quit" }
  /** The end of the command with an error. */
  | { readonly _tag: "Fail"; readonly failure: Failure }

/** The result of a message. */
export type Next = readonly [Model, ReadonlyArray<Command>]

export const screen = ({ screens }: Model): Screen => screens[screens.length - 1] ?? screens[0]

/** The number of lines between the title with the header and the last line. */
export const height = ({ size }: Pick<Model, "size">): number => Math.max(1, size.rows - 3)

/** Replaces the shown screen. */
export const show = (model: Model, shown: Screen): Model => {
  const [first, ...others] = model.screens
  return others.length === 0
    ? { ...model, screens: [shown] }
    : { ...model, screens: [first, ...others.slice(0, -1), shown] }
}

/** Shows a screen, from which the shown one can be reached again. */
export const push = (model: Model, shown: Screen): Model => {
  const [first, ...others] = model.screens
  return { ...model, screens: [first, ...others, shown], overlay: { _tag: "None" }, notice: "" }
}

/** The columns of a resource that a list shows by default: all but objects and arrays, whose values are long. */
const columnsOf = (resource: Resource.Any): ReadonlyArray<string> => {
  const columns = Column.byName(resource)
  return Fields.names(resource).filter((name) => {
    const type = columns.get(name)?.type
    return name === resource.key || (type !== "object" && type !== "array")
  })
}

export const list = (resource: Resource.Any, fixed: ReadonlyArray<RowQuery.Parameter> = []): ListScreen => ({
  _tag: "List",
  resource,
  fixed,
  filter: "",
  sort: undefined,
  columns: columnsOf(resource),
  column: 0,
  anchor: { _tag: "First" },
  page: undefined,
  selected: 0
})

export const resources: ResourcesScreen = { _tag: "Resources", filter: "", selected: 0 }

/** The resources whose names contain the filter. */
export const matching = ({ filter }: ResourcesScreen): ReadonlyArray<Resource.Any> =>
  Catalogue.resources.filter(({ resource }) => resource.toLowerCase().includes(filter.trim().toLowerCase()))

export const row = (resource: Resource.Any, key: string): RowScreen => ({
  _tag: "Row",
  resource,
  key,
  row: undefined,
  selected: 0
})

export const make = (first: Screen, size: Size): Model => ({
  size,
  screens: [first],
  overlay: { _tag: "None" },
  request: 0,
  isLoading: false,
  notice: ""
})
