/**
 * An input of a value: of a date with the calendar of the browser, or of a text.
 */
export interface ValueInputProps {
  readonly label: string
  readonly id?: string
  readonly describedBy?: string | undefined
  readonly isInvalid?: boolean
  readonly isDate: boolean
  readonly isNumber: boolean
  readonly placeholder?: string
  readonly text: string
  readonly onInput: (text: string) => void
  readonly onKeyDown?: (event: KeyboardEvent) => void
}

/** True for a text that the browser's input of dates can show. */
export const isDateText = (text: string): boolean => /^(\d{4}-\d\d-\d\d)?$/.test(text)

export const ValueInput = (props: ValueInputProps) => {
  const { describedBy, id, isDate, isInvalid, isNumber, label, onInput, onKeyDown, placeholder, text } = props
  const attributes = {
    value: text,
    onInput: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => onInput(currentTarget.value),
    ...(id === undefined ? { "aria-label": label } : { id }),
    ...(describedBy === undefined ? {} : { "aria-describedby": describedBy }),
    ...(isInvalid === true ? { "aria-invalid": true } : {}),
    ...(onKeyDown === undefined ? {} : { onKeyDown })
  }
  return isDate ? (
    <input type="date" {...attributes} />
  ) : (
    <input
      type="text"
      dir="auto"
      spellcheck={false}
      autocomplete="off"
      inputMode={isNumber ? "decimal" : "text"}
      placeholder={placeholder ?? ""}
      {...attributes}
    />
  )
}
