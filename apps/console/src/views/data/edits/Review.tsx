/**
 * Shows the edits as a difference by field, and sends them. Each field and each edit can be taken back; a conflict shows
 * the value that was seen, the other person's, and one's own.
 */
import { useEffect, useLayoutEffect, useRef } from "preact/hooks"
import type { Json } from "@mfgdata/domain/Json"
import { Button } from "../../../ui/Button.tsx"
import { Dialog } from "../../../ui/Dialog.tsx"
import * as CellText from "../value/CellText.ts"
import * as EditQueue from "./EditQueue.ts"
import * as Edits from "./Edits.ts"

const shown = 400

const Value = ({ value }: { readonly value: Json | undefined }) =>
  value === null || value === undefined ? (
    <i class="hint">{value === null ? "null" : "—"}</i>
  ) : (
    <bdi>{CellText.cell(value, shown)}</bdi>
  )

const titles = { Create: "New", Update: "Change of", Delete: "Delete" } as const

const ConflictRow = ({
  column,
  conflict,
  edit
}: {
  readonly column: string
  readonly conflict: EditQueue.Conflict
  readonly edit: EditQueue.Update
}) => {
  const choose = (choice: "mine" | "theirs") => () =>
    Edits.change((queue) => EditQueue.resolve(queue, edit.id, column, choice))
  return (
    <tr class="conflict">
      <th scope="row">{column}</th>
      <td>
        <Value value={edit.base[column]} />
        <small> as you saw it</small>
      </td>
      <td>
        <Value value={conflict.theirs[column]} /> <Button onClick={choose("theirs")}>Keep theirs</Button>
      </td>
      <td>
        <bdi>{CellText.cell(edit.inputs[column]?.text, shown)}</bdi> <Button onClick={choose("mine")}>Keep mine</Button>
      </td>
    </tr>
  )
}

const EditCard = ({ edit }: { readonly edit: EditQueue.Edit }) => {
  const { failure } = edit
  const conflict = failure?.conflict
  const title = `${titles[edit._tag]} ${edit.resource}${edit._tag === "Create" ? "" : ` ${edit.key}`}`
  return (
    <li class="card edit-card">
      <div class="row">
        <h3>{CellText.cell(title)}</h3>
        <Button icon="undo" kind="quiet" onClick={() => Edits.change((queue) => EditQueue.drop(queue, edit.id))}>
          Take back
        </Button>
      </div>
      {failure === undefined ? null : (
        <p class="field-error" role="alert">
          {CellText.visible(failure.message)}
        </p>
      )}
      {edit._tag === "Delete" ? null : (
        <table>
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Before</th>
              <th scope="col">{conflict === undefined ? "After" : "Theirs"}</th>
              <th scope="col">{conflict === undefined ? <span class="visually-hidden">Take back</span> : "Mine"}</th>
            </tr>
          </thead>
          <tbody>
            {EditQueue.differences(edit, Edits.columnsOf(edit.resource)).map(({ column, from, input, problem }) =>
              edit._tag === "Update" && conflict?.fields.includes(column) === true ? (
                <ConflictRow key={column} column={column} conflict={conflict} edit={edit} />
              ) : (
                <tr key={column}>
                  <th scope="row">{column}</th>
                  <td class="before">
                    <Value value={from} />
                  </td>
                  <td class="after">
                    <Value value={input.problem === undefined ? input.value : input.text} />
                    {problem === undefined ? null : <p class="field-error">{CellText.visible(problem)}</p>}
                  </td>
                  <td>
                    <Button
                      kind="quiet"
                      aria-label={`Take back ${column}`}
                      icon="undo"
                      onClick={() => Edits.change((queue) => EditQueue.revert(queue, edit.id, column))}
                    />
                  </td>
                </tr>
              )
            )}
          </tbody>
        </table>
      )}
    </li>
  )
}

export const Review = ({ onClose }: { readonly onClose: () => void }) => {
  const edits = Edits.queue.value
  const button = useRef<HTMLParagraphElement>(null)
  const hadEdits = useRef(edits.length > 0)
  useLayoutEffect(() => button.current?.querySelector("button")?.focus(), [])
  useEffect(() => {
    if (edits.length === 0 && hadEdits.current) onClose()
  }, [edits.length])
  const send = (): void => void Edits.send()
  return (
    <Dialog title="Review the edits" kind="wide" onClose={onClose}>
      <div
        class="review"
        onKeyDown={(event) => {
          if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          send()
        }}
      >
        {edits.length === 0 ? <p>There are no edits.</p> : null}
        {Edits.isKept.value ? null : (
          <p class="warning">These edits are too large for the browser to keep: a reload would lose them.</p>
        )}
        <ul class="edit-list">
          {edits.map((edit) => (
            <EditCard key={edit.id} edit={edit} />
          ))}
        </ul>
        <p class="row" ref={button}>
          <Button kind="primary" disabled={edits.length === 0 || Edits.isSending.value} onClick={send}>
            {Edits.isSending.value ? "Sending" : `Send ${edits.length === 1 ? "1 edit" : `${edits.length} edits`}`}
          </Button>
          <Button disabled={edits.length === 0} onClick={() => Edits.change(() => EditQueue.empty)}>
            Take all back
          </Button>
        </p>
      </div>
    </Dialog>
  )
}
