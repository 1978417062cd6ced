/**
 * The description of a view: its place in the page, in the navigation and in the command palette.
 */
import type { ComponentType } from "preact"
import type { Command } from "../shell/Commands.ts"
import type { IconName } from "../ui/Icon.tsx"

/** The properties of the component of a view. */
export interface ViewProps {
  /** The parameters of the path. */
  readonly params: { readonly [name: string]: string }
}

export interface View {
  /** Its folder. */
  readonly name: string
  /** Its path below the mount; `:name` matches one segment, and a path ending in `/*` everything below. */
  readonly path: string
  /** More paths of the same view. */
  readonly paths?: ReadonlyArray<string>
  readonly title: string
  /** Set for a view in the navigation. */
  readonly icon?: IconName
  /** The letter that opens it after `g`. */
  readonly key?: string
  /** Set for a view that needs the administrator's key: without one the page asks for it. */
  readonly isForAdministrators?: boolean
  /** Entries of the command palette besides its own. */
  readonly commands?: () => ReadonlyArray<Command>
  /** Loads the component. */
  readonly load: () => Promise<{ readonly View: ComponentType<ViewProps> }>
}
