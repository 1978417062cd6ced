/**
 * A table that scrolls by itself where the page is narrow.
 */
import type { ComponentChildren } from "preact"

export interface DataTableProps {
  /** Its name for screen readers. */
  readonly label: string
  readonly headings: ReadonlyArray<string>
  /** Those of the headings whose columns have numbers. */
  readonly numbers?: ReadonlyArray<string>
  /** Set where the last column has the actions on a row. */
  readonly hasActions?: boolean
  /** The rows. */
  readonly children: ComponentChildren
}

export const DataTable = ({ children, hasActions = false, headings, label, numbers = [] }: DataTableProps) => (
  <div class="scroll" tabIndex={0} role="region" aria-label={label}>
    <table>
      <thead>
        <tr>
          {headings.map((heading) => (
            <th key={heading} scope="col" class={numbers.includes(heading) ? "number" : undefined}>
              {heading}
            </th>
          ))}
          {hasActions ? (
            <th scope="col">
              <span class="visually-hidden">Actions</span>
            </th>
          ) : null}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </div>
)
