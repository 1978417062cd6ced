/**
 * The changes of a row: the person, the time, and each field before and after. A change can be undone.
 */
import { useState } from "preact/hooks"
import type * as AdminApi from "@mfgdata/client/AdminApi"
import * as Address from "../../router/Address.ts"
import * as Admin from "../../service/Admin.ts"
import { Button } from "../../ui/Button.tsx"
import { ErrorMessage } from "../../ui/ErrorMessage.tsx"
import * as Toasts from "../../ui/Toasts.tsx"
import { useLoad } from "../../ui/useLoad.ts"
import * as Edits from "../data/edits/Edits.ts"
import * as CellText from "../data/value/CellText.ts"
import { between, DifferenceTable } from "./Difference.tsx"

export interface HistoryProps {
  readonly resource: string
  readonly rowKey: string
}

const kinds = { INSERT: "Created", UPDATE: "Changed", DELETE: "Deleted" } as const

/** The person or program that made a change. */
export const actor = ({ apiKey, userId }: Pick<AdminApi.HistoryEntry, "apiKey" | "userId">): string =>
  userId === null && apiKey === null
    ? "the service"
    : [userId, apiKey === null ? null : `key ${apiKey}`].filter((part) => part !== null).join(", ")

export interface HistoryCardProps {
  readonly entry: AdminApi.HistoryEntry
  readonly onUndo: () => void
  /** Set where changes of several rows are shown: the card then names its row. */
  readonly withRow?: boolean
}

/** A change. */
export const HistoryCard = ({ entry, onUndo, withRow = false }: HistoryCardProps) => {
  const { after, at, before, key, kind, requestId, resource } = entry
  return (
    <li class="card history-entry">
      <div class="row">
        <h2>
          {kinds[kind]} <time dateTime={at}>{at}</time>
        </h2>
        {withRow ? (
          <a href={Address.href(`/${resource}/${encodeURIComponent(key)}?tab=history`)}>
            <bdi>
              {resource} {CellText.cell(key, 80)}
            </bdi>
          </a>
        ) : null}
        <span>by {CellText.cell(actor(entry), 80)}</span>
        {requestId === null ? null : (
          <small>
            request <code>{requestId}</code>
          </small>
        )}
        <Button icon="undo" onClick={onUndo}>
          Undo
        </Button>
      </div>
      <DifferenceTable differences={between(before, after)} />
    </li>
  )
}

export const History = ({ resource, rowKey }: HistoryProps) => {
  const { error, isLoading, reload, value } = useLoad(
    (signal) => Admin.perform("listHistory", { resource, key: rowKey }, { signal }),
    [resource, rowKey, Edits.sent.value]
  )
  const [refusal, setRefusal] = useState<unknown>(undefined)
  const undo = async (sequence: number): Promise<void> => {
    setRefusal(undefined)
    try {
      await Admin.perform("undoChange", { sequence })
      Toasts.show("The change is undone.")
      Edits.reload()
      reload()
    } catch (error) {
      setRefusal(error)
    }
  }
  return (
    <>
      <ErrorMessage error={refusal ?? error} />
      {value?.length === 0 && !isLoading ? (
        <p class="hint">No change is kept. A service keeps changes with --history on.</p>
      ) : null}
      <ol class="history">
        {value?.map((entry) => (
          <HistoryCard key={entry.sequence} entry={entry} onUndo={() => void undo(entry.sequence)} />
        ))}
      </ol>
    </>
  )
}
