/**
 * Exports the rows of a query to a file, page by page.
 */
import { useEffect, useRef, useState } from "preact/hooks"
import type { ResourceInfo } from "../../../service/Catalogue.ts"
import { Button } from "../../../ui/Button.tsx"
import { Dialog } from "../../../ui/Dialog.tsx"
import { ErrorMessage } from "../../../ui/ErrorMessage.tsx"
import { SelectField } from "../../../ui/Field.tsx"
import * as Edits from "../edits/Edits.ts"
import * as GridQuery from "../query/GridQuery.ts"
import * as PageQuery from "../query/PageQuery.ts"
import * as RowExport from "./RowExport.ts"
import { collect, saveFile } from "../../../ui/saveFile.ts"

export interface ExportDialogProps {
  readonly resource: ResourceInfo
  readonly query: GridQuery.GridQuery
  readonly onClose: () => void
}

const none: ReadonlyMap<string, number> = new Map()

export const ExportDialog = ({ onClose, query, resource }: ExportDialogProps) => {
  const [format, setFormat] = useState<RowExport.Format>("csv")
  const [rows, setRows] = useState<number | undefined>(undefined)
  const [error, setError] = useState<unknown>(undefined)
  const abort = useRef(new AbortController())
  useEffect(() => () => abort.current.abort(), [])
  const run = async (): Promise<void> => {
    const { signal } = abort.current
    setError(undefined)
    setRows(0)
    try {
      const pages = RowExport.pages(async (offset, limit, values) => {
        const after = values && { values, cut: none }
        const found = await Edits.rows.list(
          resource.name,
          PageQuery.toText(resource, query, { offset, limit, after }),
          { signal }
        )
        setRows(offset + found.length)
        return found
      }, query.limit)
      const hasText = query.terms.some((term) => term._tag === "Text" && term.name === "select")
      const all = resource.columns.map(({ name }) => name)
      const columns = hasText ? undefined : query.columns.length === 0 ? all : query.columns
      const file = await collect(RowExport.mediaTypes[format], RowExport.write(format, columns, pages))
      if (signal.aborted) return
      saveFile(`${resource.name}.${format}`, file)
      onClose()
    } catch (error) {
      if (!signal.aborted) setError(error)
      setRows(undefined)
    }
  }
  return (
    <Dialog title={`Export ${resource.name}`} onClose={onClose}>
      <p class="hint">{GridQuery.toText(resource, query) || "All rows"}</p>
      <SelectField
        label="Format"
        value={format}
        options={RowExport.formats.map((value) => ({ value, text: value.toUpperCase() }))}
        // The options are the formats.
        onChange={({ currentTarget }) => setFormat(currentTarget.value as RowExport.Format)}
      />
      <ErrorMessage error={error} />
      <p class="row">
        <Button kind="primary" icon="download" disabled={rows !== undefined} onClick={() => void run()}>
          Save the file
        </Button>
        <span aria-live="polite">{rows === undefined ? "" : `${rows.toLocaleString()} rows`}</span>
      </p>
    </Dialog>
  )
}
