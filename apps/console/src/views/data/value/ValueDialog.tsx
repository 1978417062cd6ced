/**
 * Shows and edits a long value: text of many lines, JSON, arrays. A value of many megabytes opens cut, and is only
 * editable once it is whole.
 */
import { useEffect, useState } from "preact/hooks"
import type { ColumnInfo } from "../../../service/Catalogue.ts"
import { Button } from "../../../ui/Button.tsx"
import { Dialog } from "../../../ui/Dialog.tsx"
import { ErrorMessage } from "../../../ui/ErrorMessage.tsx"
import { Field } from "../../../ui/Field.tsx"
import * as CellInput from "./CellInput.ts"
import * as CellText from "./CellText.ts"

/** The characters of a value that are shown first. */
const shown = 100_000

export interface ValueDialogProps {
  readonly column: ColumnInfo
  /** The whole text of the value. */
  readonly load: () => Promise<string>
  readonly onDone: (text: string) => void
  readonly onClose: () => void
}

const hasHidden = (text: string): boolean => CellText.visibleLines(text) !== text

export const ValueDialog = ({ column, load, onClose, onDone }: ValueDialogProps) => {
  const [whole, setWhole] = useState<string | undefined>(undefined)
  const [text, setText] = useState<string | undefined>(undefined)
  const [error, setError] = useState<unknown>(undefined)
  useEffect(() => {
    load().then((loaded) => {
      setWhole(loaded)
      if (loaded.length <= shown) setText(loaded)
    }, setError)
  }, [])
  const input = text === undefined ? undefined : CellInput.parse(column, text)
  const isFixed = column.write === "never"
  const isJson = column.type === "object" || column.type === "array"
  return (
    <Dialog title={column.name} kind="wide" onClose={onClose}>
      <ErrorMessage error={error} />
      {whole === undefined ? (
        <p class="hint">{error === undefined ? "Loading" : ""}</p>
      ) : text === undefined ? (
        <>
          <p class="row">
            {CellText.sizeOf(whole.length)}, of which {CellText.sizeOf(shown)} are shown.
            <Button onClick={() => setText(whole)}>Open all</Button>
          </p>
          <pre class="value" tabIndex={0} dir="auto">
            {CellText.visibleLines(whole.slice(0, shown))}
          </pre>
        </>
      ) : (
        <form
          class="value-form"
          onSubmit={(event) => {
            event.preventDefault()
            if (!isFixed) onDone(text)
          }}
        >
          <Field
            label={isJson ? `JSON of ${column.name}` : `Text of ${column.name}`}
            error={isFixed ? undefined : input?.problem}
            hint={
              hasHidden(text.slice(0, shown))
                ? "Has control characters, which the preview below shows."
                : CellText.sizeOf(text.length)
            }
          >
            {(described) => (
              <textarea
                {...described}
                rows={14}
                dir="auto"
                spellcheck={false}
                readOnly={isFixed}
                value={text}
                onInput={({ currentTarget }) => setText(currentTarget.value)}
                onKeyDown={(event) => {
                  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return
                  event.preventDefault()
                  event.currentTarget.form?.requestSubmit()
                }}
              />
            )}
          </Field>
          {hasHidden(text.slice(0, shown)) ? (
            <pre class="value" tabIndex={0} dir="auto">
              {CellText.visibleLines(text.slice(0, shown))}
            </pre>
          ) : null}
          {isFixed ? null : (
            <p class="row">
              <Button type="submit" kind="primary">
                Keep
              </Button>
              {isJson ? (
                <Button
                  disabled={input?.problem !== undefined}
                  onClick={() => input?.value !== undefined && setText(CellInput.toText(input.value))}
                >
                  Format
                </Button>
              ) : null}
              {column.nullable ? <Button onClick={() => onDone("")}>Clear</Button> : null}
            </p>
          )}
        </form>
      )}
    </Dialog>
  )
}
