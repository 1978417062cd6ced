/**
 * Form fields: a label, an input, a hint and an error that belong together for screen readers.
 */
import type { ComponentChildren, JSX } from "preact"
import { useId } from "preact/hooks"

interface Around {
  readonly label: string
  readonly hint?: ComponentChildren
  readonly error?: string | undefined
}

interface Described {
  readonly id: string
  readonly "aria-describedby"?: string
  readonly "aria-invalid"?: boolean
}

/** The frame of a field, for inputs of any kind. */
export const Field = ({
  children,
  error,
  hint,
  label
}: Around & { readonly children: (described: Described) => ComponentChildren }) => {
  const id = useId()
  const note = `${id}-note`
  const isDescribed = error !== undefined || hint !== undefined
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        ...(isDescribed ? { "aria-describedby": note } : {}),
        ...(error === undefined ? {} : { "aria-invalid": true })
      })}
      {isDescribed ? (
        <p id={note} class={error === undefined ? "hint" : "field-error"}>
          {error ?? hint}
        </p>
      ) : null}
    </div>
  )
}

export const TextField = ({ error, hint, label, ...rest }: Around & JSX.IntrinsicElements["input"]) => (
  <Field label={label} hint={hint} error={error}>
    {(described) => <input {...rest} {...described} />}
  </Field>
)

export const SelectField = ({
  error,
  hint,
  label,
  options,
  ...rest
}: Around & {
  readonly options: ReadonlyArray<{ readonly value: string; readonly text: string }>
} & JSX.IntrinsicElements["select"]) => (
  <Field label={label} hint={hint} error={error}>
    {(described) => (
      <select {...rest} {...described}>
        {options.map(({ text, value }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    )}
  </Field>
)

export const CheckField = ({
  checked,
  label,
  onChange
}: {
  readonly label: string
  readonly checked: boolean
  readonly onChange: (isChecked: boolean) => void
}) => (
  <label class="check">
    <input type="checkbox" checked={checked} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />
    {label}
  </label>
)
