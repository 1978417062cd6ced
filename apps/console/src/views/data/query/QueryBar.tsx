/**
 * Edits the query of a grid: as text, and as conditions with inputs of the types of their columns. What the inputs cannot
 * express is shown as text.
 */
import { useEffect, useMemo, useRef, useState } from "preact/hooks"
import * as Catalogue from "../../../service/Catalogue.ts"
import { Button, IconButton } from "../../../ui/Button.tsx"
import * as CellText from "../value/CellText.ts"
import * as Choices from "../value/Choices.ts"
import { Combobox } from "../value/Combobox.tsx"
import * as GridQuery from "./GridQuery.ts"
import { isDateText, ValueInput } from "../value/ValueInput.tsx"

export interface QueryBarProps {
  readonly resource: Catalogue.ResourceInfo
  readonly query: GridQuery.GridQuery
  /** Shows another query; `isTyping` while a person still types it. */
  readonly onChange: (query: GridQuery.GridQuery, isTyping?: boolean) => void
}

/** A text that is applied when the person stops typing. */
const useTyped = (text: string, apply: (text: string) => void) => {
  const [typed, setTyped] = useState(text)
  useEffect(() => setTyped(text), [text])
  // The query can change in other places while one types.
  const latest = useRef(apply)
  latest.current = apply
  useEffect(() => {
    if (typed === text) return
    const timer = setTimeout(() => latest.current(typed), 350)
    return () => clearTimeout(timer)
  }, [typed])
  return [typed, setTyped] as const
}

const Operand = ({
  column,
  condition,
  onChange,
  resource
}: {
  readonly resource: string
  readonly column: Catalogue.ColumnInfo
  readonly condition: GridQuery.Condition
  readonly onChange: (operand: string) => void
}) => {
  const { operand, operator } = condition
  const [text, setText] = useTyped(operand, onChange)
  const find = useMemo(() => Choices.of(resource, column), [resource, column])
  const label = `Value for ${column.name}`
  const isWhole = operator === "eq" || operator === "neq"
  if (find !== undefined && isWhole) return <Combobox label={label} text={text} onInput={setText} find={find} />
  const isOne = operator !== "in"
  return (
    <ValueInput
      label={label}
      isDate={column.type === "date" && isOne && isDateText(text)}
      isNumber={column.type === "number" && isOne}
      placeholder={isOne ? (operator === "cs" || operator === "ov" ? '{a} or {"a":1}' : "") : "a,b"}
      text={text}
      onInput={setText}
    />
  )
}

const TermChip = ({
  onChange,
  resource,
  term
}: {
  readonly resource: Catalogue.ResourceInfo
  readonly term: GridQuery.Term
  readonly onChange: (term: GridQuery.Term | undefined) => void
}) => {
  if (term._tag === "Search") return null
  const column = term._tag === "Condition" ? Catalogue.columnOf(resource, term.column) : undefined
  const name = term._tag === "Condition" ? term.column : term.name
  return (
    <li>
      <div class="term" role="group" aria-label={`Filter of ${name}`}>
        <b>{CellText.cell(name, 40)}</b>
        {term._tag === "Condition" && column !== undefined ? (
          <>
            <select
              aria-label={`Operator for ${name}`}
              value={term.operator}
              // The options are the operators.
              onChange={({ currentTarget }) =>
                onChange({ ...term, operator: currentTarget.value as GridQuery.Operator })
              }
            >
              {GridQuery.operatorsOf(column).map((operator) => (
                <option key={operator} value={operator}>
                  {GridQuery.labels[operator]}
                </option>
              ))}
            </select>
            {GridQuery.isBare(term.operator) ? null : (
              <Operand
                resource={resource.name}
                column={column}
                condition={term}
                onChange={(operand) => onChange({ ...term, operand })}
              />
            )}
          </>
        ) : term._tag === "Text" ? (
          <code title="Only the text of the query can change this">={CellText.cell(term.value, 80)}</code>
        ) : null}
        <IconButton icon="close" label={`Remove the filter of ${name}`} onClick={() => onChange(undefined)} />
      </div>
    </li>
  )
}

const AddFilter = ({
  onAdd,
  resource
}: {
  readonly resource: Catalogue.ResourceInfo
  readonly onAdd: (column: Catalogue.ColumnInfo) => void
}) => (
  <select
    aria-label="Add a filter"
    value=""
    onChange={({ currentTarget }) => {
      const column = Catalogue.columnOf(resource, currentTarget.value)
      currentTarget.value = ""
      if (column !== undefined) onAdd(column)
    }}
  >
    <option value="">Add a filter</option>
    {resource.columns.map(({ name }) => (
      <option key={name} value={name}>
        {name}
      </option>
    ))}
  </select>
)

export const QueryBar = ({ onChange, query, resource }: QueryBarProps) => {
  const text = GridQuery.toText(resource, query)
  const [draft, setDraft] = useState(text)
  useEffect(() => setDraft(text), [text])
  const [search, setSearch] = useTyped(GridQuery.searchOf(query), (typed) =>
    onChange(GridQuery.withSearch(query, typed), true)
  )
  const add = (column: Catalogue.ColumnInfo): void => {
    const [operator = "eq"] = GridQuery.operatorsOf(column)
    const operand = column.type === "boolean" ? "true" : ""
    onChange({ ...query, terms: [...query.terms, { _tag: "Condition", column: column.name, operator, operand }] })
  }
  return (
    <div class="query-bar">
      <form
        class="query-text"
        onSubmit={(event) => {
          event.preventDefault()
          onChange(GridQuery.read(resource, draft.replace(/^[^?=]*\?/, "")))
        }}
      >
        <label>
          <span class="query-path">/rest/{resource.name}?</span>
          <input
            aria-label="Query"
            value={draft}
            spellcheck={false}
            autocomplete="off"
            placeholder="all rows, such as status=eq.Draft&order=id.desc"
            onInput={({ currentTarget }) => setDraft(currentTarget.value)}
          />
        </label>
        {draft === text ? null : (
          <Button type="submit" kind="primary">
            Apply
          </Button>
        )}
      </form>
      <ul class="terms" aria-label="Filters">
        <li>
          <input
            type="search"
            aria-label="Search in all text"
            placeholder="Search in all text"
            dir="auto"
            value={search}
            onInput={({ currentTarget }) => setSearch(currentTarget.value)}
          />
        </li>
        {query.terms.map((term, index) => (
          <TermChip
            key={index}
            resource={resource}
            term={term}
            onChange={(next) => onChange(GridQuery.withTerm(query, index, next), next !== undefined)}
          />
        ))}
        <li>
          <AddFilter resource={resource} onAdd={add} />
        </li>
      </ul>
    </div>
  )
}
