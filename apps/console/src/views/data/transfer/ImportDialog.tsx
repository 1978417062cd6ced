/**
 * Imports a CSV file: lists the rows that would be refused before anything is written.
 */
import { useEffect, useRef, useState } from "preact/hooks"
import type { JsonObject } from "@mfgdata/domain/Json"
import type { ResourceInfo } from "../../../service/Catalogue.ts"
import { Button } from "../../../ui/Button.tsx"
import { Dialog } from "../../../ui/Dialog.tsx"
import { ErrorMessage } from "../../../ui/ErrorMessage.tsx"
import { Field } from "../../../ui/Field.tsx"
import * as CellText from "../value/CellText.ts"
import * as Delimited from "./Delimited.ts"
import * as Edits from "../edits/Edits.ts"
import * as ImportPlan from "./ImportPlan.ts"
import { saveFile } from "../../../ui/saveFile.ts"

export interface ImportDialogProps {
  readonly resource: ResourceInfo
  /** The values of columns that the file does not have. */
  readonly defaults: JsonObject
  readonly onImported: () => void
  readonly onClose: () => void
}

type State =
  | { readonly _tag: "Empty" }
  | { readonly _tag: "Working"; readonly act: string; readonly done: number; readonly all: number }
  | { readonly _tag: "Checked"; readonly plan: ImportPlan.ImportPlan }
  | { readonly _tag: "Done"; readonly created: number; readonly problems: ReadonlyArray<ImportPlan.Problem> }

/** The problems that the page lists; the file has all of them. */
const shown = 200
const shownRows = 5

const Problems = ({ problems }: { readonly problems: ReadonlyArray<ImportPlan.Problem> }) =>
  problems.length === 0 ? null : (
    <div class="problems" tabIndex={0} role="region" aria-label="Rows that are refused">
      <table>
        <thead>
          <tr>
            <th scope="col">Line</th>
            <th scope="col">Field</th>
            <th scope="col">Reason</th>
          </tr>
        </thead>
        <tbody>
          {problems.slice(0, shown).map(({ field, line, reason }, index) => (
            <tr key={index}>
              <td class="number">{line}</td>
              <td>{CellText.cell(field, 60)}</td>
              <td>{CellText.cell(reason, 400)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {problems.length > shown ? <p class="hint">and {problems.length - shown} more</p> : null}
    </div>
  )

const Preview = ({ plan: { columns, rows } }: { readonly plan: ImportPlan.ImportPlan }) =>
  rows.length === 0 ? null : (
    <div class="problems" tabIndex={0} role="region" aria-label="First rows of the file">
      <table>
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, shownRows).map(({ line, values }) => (
            <tr key={line}>
              {columns.map((name) => (
                <td key={name}>{CellText.cell(values[name], 40)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )

const saveProblems = (resource: string, problems: ReadonlyArray<ImportPlan.Problem>): void => {
  const lines = problems.map(({ field, line, reason }) => Delimited.print([String(line), field, reason], ","))
  saveFile(
    `${resource}-refused.csv`,
    new Blob([Delimited.print(["line", "field", "reason"], ","), ...lines], { type: "text/csv" })
  )
}

const plural = (count: number, noun: string): string => `${count.toLocaleString()} ${noun}${count === 1 ? "" : "s"}`

export const ImportDialog = ({ defaults, onClose, onImported, resource }: ImportDialogProps) => {
  const [state, setState] = useState<State>({ _tag: "Empty" })
  const [error, setError] = useState<unknown>(undefined)
  const abort = useRef(new AbortController())
  useEffect(() => () => abort.current.abort(), [])

  const work = async (
    act: string,
    all: number,
    run: (onProgress: (done: number) => void) => Promise<State>
  ): Promise<void> => {
    setError(undefined)
    setState({ _tag: "Working", act, done: 0, all })
    try {
      setState(await run((done) => setState({ _tag: "Working", act, done, all })))
    } catch (error) {
      if (abort.current.signal.aborted) return
      setError(error)
      setState({ _tag: "Empty" })
    }
  }
  const { signal } = abort.current
  const check = async (file: File): Promise<void> => {
    const plan = ImportPlan.read(resource, await file.text(), defaults)
    await work("Checking", plan.rows.length, async (onProgress) => ({
      _tag: "Checked",
      plan: await ImportPlan.check(Edits.rows, resource.name, plan, { signal, onProgress })
    }))
  }
  const run = (plan: ImportPlan.ImportPlan): Promise<void> =>
    work("Creating", plan.rows.length, async (onProgress) => {
      const { created, problems } = await ImportPlan.run(Edits.rows, resource.name, plan, { signal, onProgress })
      if (created > 0) onImported()
      return { _tag: "Done", created, problems }
    })

  return (
    <Dialog title={`Import ${resource.name}`} kind="wide" onClose={onClose}>
      <Field
        label="CSV file"
        hint="Its first line has the names of the columns. Nothing is written before you have seen the result of the check."
      >
        {(described) => (
          <input
            {...described}
            type="file"
            accept=".csv,.tsv,text/csv,text/tab-separated-values"
            disabled={state._tag === "Working"}
            onChange={({ currentTarget }) => {
              const file = currentTarget.files?.[0]
              if (file !== undefined) void check(file)
            }}
          />
        )}
      </Field>
      <ErrorMessage error={error} />
      <div aria-live="polite">
        {state._tag === "Working" ? (
          <p>
            {state.act} {state.done.toLocaleString()} of {plural(state.all, "row")}
          </p>
        ) : state._tag === "Checked" ? (
          <p>
            <strong>{plural(state.plan.rows.length, "row")} can be created</strong>,{" "}
            {plural(new Set(state.plan.problems.map(({ line }) => line)).size, "line")} would be refused.
            {state.plan.ignored.length === 0 ? "" : ` The service sets ${state.plan.ignored.join(", ")} itself.`}
          </p>
        ) : state._tag === "Done" ? (
          <p>
            <strong>{plural(state.created, "row")} created</strong>, {plural(state.problems.length, "problem")}.
          </p>
        ) : null}
      </div>
      {state._tag === "Checked" ? (
        <>
          <Problems problems={state.plan.problems} />
          <Preview plan={state.plan} />
          <p class="row">
            <Button kind="primary" disabled={state.plan.rows.length === 0} onClick={() => void run(state.plan)}>
              Create {plural(state.plan.rows.length, "row")}
            </Button>
            {state.plan.problems.length === 0 ? null : (
              <Button icon="download" onClick={() => saveProblems(resource.name, state.plan.problems)}>
                Save the problems
              </Button>
            )}
          </p>
        </>
      ) : state._tag === "Done" ? (
        <>
          <Problems problems={state.problems} />
          <p class="row">
            <Button kind="primary" onClick={onClose}>
              Close
            </Button>
          </p>
        </>
      ) : null}
    </Dialog>
  )
}
