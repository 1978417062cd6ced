/**
 * Shows two states of a row as a difference by field.
 */
import type { Json, JsonObject } from "@mfgdata/domain/Json"
import * as CellText from "../data/value/CellText.ts"

export interface Difference {
  readonly field: string
  readonly from: Json | undefined
  readonly to: Json | undefined
}

/** The fields that differ between two states; null is the absence of the row. */
export const between = (from: JsonObject | null, to: JsonObject | null): ReadonlyArray<Difference> =>
  [...new Set([...Object.keys(from ?? {}), ...Object.keys(to ?? {})])]
    .map((field) => ({ field, from: from?.[field], to: to?.[field] }))
    .filter(({ from, to }) => JSON.stringify(from ?? null) !== JSON.stringify(to ?? null))

const shown = 300

const Value = ({ value }: { readonly value: Json | undefined }) =>
  value === undefined ? (
    <i class="hint">—</i>
  ) : value === null ? (
    <i class="hint">null</i>
  ) : (
    <bdi>{CellText.cell(value, shown)}</bdi>
  )

export const DifferenceTable = ({
  differences,
  from = "Before",
  to = "After"
}: {
  readonly differences: ReadonlyArray<Difference>
  readonly from?: string
  readonly to?: string
}) => (
  <table class="difference">
    <thead>
      <tr>
        <th scope="col">Field</th>
        <th scope="col">{from}</th>
        <th scope="col">{to}</th>
      </tr>
    </thead>
    <tbody>
      {differences.map((difference) => (
        <tr key={difference.field}>
          <th scope="row">{difference.field}</th>
          <td class="before">
            <Value value={difference.from} />
          </td>
          <td class="after">
            <Value value={difference.to} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
)
