/**
 * The frame of a view: its heading with actions, and the button that shows its requests.
 */
import type { ComponentChildren } from "preact"
import { IconButton } from "../ui/Button.tsx"
import * as Panels from "./Panels.ts"

export interface PageProps {
  readonly title: ComponentChildren
  /** A sentence below the heading. */
  readonly lead?: ComponentChildren
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
  /** Set for a view that uses the whole width and height itself, such as a grid. */
  readonly isFilled?: boolean
}

export const Page = ({ actions, children, isFilled = false, lead, title }: PageProps) => (
  <div class={`page ${isFilled ? "filled" : ""}`}>
    <header class="page-head">
      <div>
        <h1 tabIndex={-1}>{title}</h1>
        {lead === undefined ? null : <p class="lead">{lead}</p>}
      </div>
      <div class="actions">
        {actions}
        <IconButton icon="code" label="Requests of this view" onClick={() => Panels.open("requests")} />
      </div>
    </header>
    {children}
  </div>
)
