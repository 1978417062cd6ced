/**
 * Chooses the columns of a grid.
 */
import type { ResourceInfo } from "../../../service/Catalogue.ts"
import { Button } from "../../../ui/Button.tsx"
import { Dialog } from "../../../ui/Dialog.tsx"
import { CheckField } from "../../../ui/Field.tsx"

export interface ColumnChoiceProps {
  readonly resource: ResourceInfo
  /** The chosen columns; all of them where it is empty. */
  readonly chosen: ReadonlyArray<string>
  readonly onChange: (columns: ReadonlyArray<string>) => void
  readonly onClose: () => void
}

export const ColumnChoice = ({ chosen, onChange, onClose, resource: { columns } }: ColumnChoiceProps) => {
  const names = columns.map(({ name }) => name)
  const current = chosen.length === 0 ? names : chosen
  const toggle = (name: string): void => {
    const next = current.includes(name) ? current.filter((other) => other !== name) : [...current, name]
    const isAll = next.length === names.length && next.every((name, index) => name === names[index])
    if (next.length > 0) onChange(isAll ? [] : next)
  }
  return (
    <Dialog title="Columns" onClose={onClose}>
      <div class="column-choice">
        {names.map((name) => (
          <CheckField key={name} label={name} checked={current.includes(name)} onChange={() => toggle(name)} />
        ))}
      </div>
      <p class="row">
        <Button disabled={chosen.length === 0} onClick={() => onChange([])}>
          Show all
        </Button>
      </p>
    </Dialog>
  )
}
