/**
 * Fields that filter a list; each is a parameter of the address.
 */
import * as Address from "../../router/Address.ts"

/** A choice among values, which are shown as they are or as `textOf` returns. */
export const Choice = ({
  label,
  name,
  options,
  textOf
}: {
  readonly label: string
  readonly name: string
  readonly options: ReadonlyArray<string>
  readonly textOf?: (option: string) => string
}) => (
  <select
    aria-label={label}
    value={Address.query.value.get(name) ?? ""}
    onChange={({ currentTarget }) => Address.setQuery({ [name]: currentTarget.value })}
  >
    <option value="">{label}: all</option>
    {options.map((option) => (
      <option key={option} value={option}>
        {textOf?.(option) ?? option}
      </option>
    ))}
  </select>
)

/** A text that is taken when it is complete. */
export const Input = ({ label, name }: { readonly label: string; readonly name: string }) => (
  <input
    type="search"
    aria-label={label}
    placeholder={label}
    value={Address.query.value.get(name) ?? ""}
    onChange={({ currentTarget }) => Address.setQuery({ [name]: currentTarget.value })}
  />
)
