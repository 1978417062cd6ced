/**
 * The form of a row, made from the columns of its resource: vocabularies and references as choices, dates with the
 * calendar of the browser, JSON with a check. Columns that the service sets are shown as text.
 */
import { useMemo, useState } from "preact/hooks"
import type { Json } from "@mfgdata/domain/Json"
import * as Address from "../../../router/Address.ts"
import * as Catalogue from "../../../service/Catalogue.ts"
import { Button } from "../../../ui/Button.tsx"
import { Field } from "../../../ui/Field.tsx"
import * as CellInput from "../value/CellInput.ts"
import * as CellText from "../value/CellText.ts"
import * as Choices from "../value/Choices.ts"
import { Combobox } from "../value/Combobox.tsx"
import { ValueDialog } from "../value/ValueDialog.tsx"
import { isDateText, ValueInput } from "../value/ValueInput.tsx"

/** A field of the form. */
interface RowField {
  readonly column: Catalogue.ColumnInfo
  /** The value of the row; absent in a new one. */
  readonly value: Json | undefined
  /** The edit of the field. */
  readonly input: CellInput.Input | undefined
  readonly problem: string | undefined
}

export interface RowFormProps {
  readonly resource: Catalogue.ResourceInfo
  readonly fields: ReadonlyArray<RowField>
  /** Receives the input of a field, or `undefined` for an emptied one. */
  readonly onInput: (column: Catalogue.ColumnInfo, input: CellInput.Input | undefined) => void
}

/** The longest text that is edited in the form itself. */
const inPlace = 2000

const isText = ({ type }: Catalogue.ColumnInfo, text: string): boolean =>
  type === "object" || type === "array" || (type === "text" && (text.length > 80 || text.includes("\n")))

/** The place of the row that a value refers to; `undefined` where the service does not have its resource. */
const referenceOf = ({ reference }: Catalogue.ColumnInfo, value: Json | undefined): string | undefined => {
  const target = reference === undefined ? undefined : Catalogue.find(reference.resource)
  if (target === undefined || reference === undefined || typeof value !== "string" || value === "") return undefined
  return reference.field === target.key
    ? `/${target.name}/${encodeURIComponent(value)}`
    : `/${target.name}?${reference.field}=eq.${encodeURIComponent(value)}`
}

const hintOf = ({ type, vocabulary, write }: Catalogue.ColumnInfo): string =>
  [write === "required" ? "required" : "", vocabulary?.name ?? type].filter((part) => part !== "").join(", ")

const RowInput = ({ field, onInput, resource }: Omit<RowFormProps, "fields"> & { readonly field: RowField }) => {
  const { column, input, problem, value } = field
  const [isOpen, setOpen] = useState(false)
  const find = useMemo(() => Choices.of(resource.name, column), [resource, column])
  const text = input?.text ?? CellInput.toText(value)
  const place = referenceOf(column, input === undefined ? value : input.value)
  const change = (text: string): void =>
    onInput(column, text === "" && value === undefined ? undefined : CellInput.parse(column, text))
  const isLong = text.length > inPlace
  const hint = (
    <>
      {hintOf(column)}
      {input === undefined || value === undefined ? null : (
        <>
          , was <bdi>{CellText.cell(value, 80) || "empty"}</bdi>
        </>
      )}
      {place === undefined ? null : (
        <>
          {" · "}
          <a href={Address.href(place)}>Open {column.reference?.resource}</a>
        </>
      )}
    </>
  )
  return (
    <div class={`row-field ${input === undefined ? "" : "changed"}`}>
      <Field label={column.name} hint={hint} error={problem}>
        {(described) => {
          const attributes = {
            id: described.id,
            label: column.name,
            describedBy: described["aria-describedby"],
            isInvalid: problem !== undefined,
            text,
            onInput: change
          }
          if (isLong)
            return (
              <span class="row">
                <output {...described}>
                  <bdi>{CellText.cell(text, 60)}</bdi> {CellText.sizeOf(text.length)}
                </output>
                <Button onClick={() => setOpen(true)}>Edit</Button>
              </span>
            )
          if (isText(column, text))
            return (
              <textarea
                {...described}
                rows={Math.min(text.split("\n").length + 1, 10)}
                dir="auto"
                spellcheck={false}
                value={text}
                onInput={({ currentTarget }) => change(currentTarget.value)}
              />
            )
          if (find !== undefined) return <Combobox {...attributes} find={find} />
          return (
            <ValueInput
              {...attributes}
              isDate={column.type === "date" && isDateText(text)}
              isNumber={column.type === "number"}
              placeholder={column.type === "timestamp" ? "2026-01-31T08:30:00Z" : ""}
            />
          )
        }}
      </Field>
      {isOpen ? (
        <ValueDialog
          column={column}
          load={() => Promise.resolve(text)}
          onDone={(text) => {
            change(text)
            setOpen(false)
          }}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </div>
  )
}

export const RowForm = ({ fields, onInput, resource }: RowFormProps) => (
  <div class="row-form">
    {fields
      .filter(({ column }) => column.write !== "never")
      .map((field) => (
        <RowInput key={field.column.name} resource={resource} field={field} onInput={onInput} />
      ))}
    <dl class="facts">
      {fields
        .filter(({ column, value }) => column.write === "never" && value !== undefined)
        .map(({ column, value }) => (
          <div key={column.name}>
            <dt>{column.name}</dt>
            <dd>
              <bdi>{CellText.cell(value, 400) || "—"}</bdi>
            </dd>
          </div>
        ))}
    </dl>
  </div>
)
