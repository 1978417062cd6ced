/**
 * Edits the value of a cell in its place: Enter and Tab accept it, Escape takes it back.
 */
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks"
import type { ColumnInfo } from "../../../service/Catalogue.ts"
import * as Choices from "../value/Choices.ts"
import { Combobox } from "../value/Combobox.tsx"
import { isDateText, ValueInput } from "../value/ValueInput.tsx"

export interface CellEditorProps {
  readonly resource: string
  readonly column: ColumnInfo
  readonly text: string
  /** Selects the text, where it was not typed. */
  readonly isSelected: boolean
  /** Receives the text, and the direction in which the keyboard goes on. */
  readonly onDone: (text: string, key: "Enter" | "Tab" | "blur", isBack: boolean) => void
  readonly onCancel: () => void
}

export const CellEditor = ({ column, isSelected, onCancel, onDone, resource, text: before }: CellEditorProps) => {
  const [text, setText] = useState(before)
  const box = useRef<HTMLSpanElement>(null)
  const isDone = useRef(false)
  const find = useMemo(() => Choices.of(resource, column), [resource, column])
  // Before the next key arrives.
  useLayoutEffect(() => {
    const input = box.current?.querySelector("input")
    input?.focus()
    if (isSelected) input?.select()
  }, [])
  const finish = (text: string, key: "Enter" | "Tab" | "blur", isBack = false): void => {
    if (isDone.current) return
    isDone.current = true
    onDone(text, key, isBack)
  }
  const press = (event: KeyboardEvent): void => {
    event.stopPropagation()
    if (event.isComposing) return
    if (event.key === "Escape") {
      isDone.current = true
      onCancel()
    } else if ((event.key === "Enter" && !event.ctrlKey && !event.metaKey) || event.key === "Tab") {
      event.preventDefault()
      finish(text, event.key, event.shiftKey)
    }
  }
  return (
    <span
      ref={box}
      class="cell-editor"
      onPointerDown={(event) => event.stopPropagation()}
      onDblClick={(event) => event.stopPropagation()}
      onFocusOut={() => finish(text, "blur")}
    >
      {find === undefined ? (
        <ValueInput
          label={column.name}
          isDate={column.type === "date" && isDateText(before)}
          isNumber={false}
          text={text}
          onInput={setText}
          onKeyDown={press}
        />
      ) : (
        <Combobox
          label={column.name}
          text={text}
          onInput={setText}
          find={find}
          isFocused
          onKeyDown={press}
          onChoose={(value) => finish(value, "Enter")}
        />
      )}
    </span>
  )
}
