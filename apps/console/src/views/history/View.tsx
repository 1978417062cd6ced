/**
 * The changes of the world, the newest first, as they happen. One change is undone, or the whole world is rewound.
 */
import { useState } from "preact/hooks"
import * as Address from "../../router/Address.ts"
import * as Admin from "../../service/Admin.ts"
import * as Catalogue from "../../service/Catalogue.ts"
import { useKeys } from "../../shell/Keys.ts"
import { Page } from "../../shell/Page.tsx"
import { Button } from "../../ui/Button.tsx"
import { ErrorMessage } from "../../ui/ErrorMessage.tsx"
import * as Moment from "../../ui/moment.ts"
import { Choice, Input } from "../../ui/records/FilterField.tsx"
import * as Toasts from "../../ui/Toasts.tsx"
import * as Edits from "../data/edits/Edits.ts"
import { HistoryCard } from "../row/History.tsx"
import * as Changes from "./Changes.ts"
import * as HistoryFilter from "./HistoryFilter.ts"
import { RewindForm } from "./RewindForm.tsx"
import { useChanges } from "./useChanges.ts"

const resources = Catalogue.sorted.map(({ name }) => name)

const FilterBar = () => (
  <div class="filter-bar" role="search" aria-label="Filter the changes">
    <Choice label="Resource" name="resource" options={resources} />
    <Input label="Key of the row" name="key" />
    <Input label="Id of the request" name="request" />
    <Input label="User" name="user" />
    <Input label="Since (UTC)" name="since" />
  </div>
)

/** Undoes a change, and the undo from its message. */
const undo = async (sequence: number, done: string, again: string): Promise<void> => {
  try {
    const made = await Admin.perform("undoChange", { sequence })
    Edits.reload()
    Toasts.show(done, { action: again, undo: () => void undo(made.sequence, "The undo is undone.", "Undo") })
  } catch (error) {
    Toasts.show(error instanceof Error ? error.message : String(error), { kind: "error" })
  }
}

export const View = () => {
  const query = Address.query.value
  const { changes, error, hasOlder, isLoaded, loadOlder } = useChanges(HistoryFilter.servedSearch(query))
  /** The number of the newest change when the list was paused. */
  const [pausedAt, setPausedAt] = useState<number | undefined>(undefined)
  const [isRewinding, setRewinding] = useState(false)
  const shown = pausedAt === undefined ? changes : changes.filter(({ sequence }) => sequence <= pausedAt)
  const waiting = changes.length - shown.length
  const newest = changes[0]
  const toggle = () => setPausedAt((paused) => (paused === undefined ? (newest?.sequence ?? 0) : undefined))
  const since = query.get("since") ?? ""
  const isMomentWrong = since !== "" && Moment.parse(since) === undefined
  useKeys([{ keys: "p", title: "Pause or follow the changes", run: toggle }], [newest?.sequence])
  return (
    <Page
      title="History"
      lead="The changes of all rows of this world, the newest first."
      actions={
        <>
          <Button
            icon={pausedAt === undefined ? "pause" : "play"}
            aria-pressed={pausedAt !== undefined}
            onClick={toggle}
          >
            {pausedAt === undefined ? "Pause" : `Follow${waiting === 0 ? "" : ` (${waiting} new)`}`}
          </Button>
          <Button icon="undo" onClick={() => setRewinding(true)}>
            Rewind
          </Button>
        </>
      }
    >
      <div class="changes">
        <FilterBar />
        <ErrorMessage error={isMomentWrong ? new Error(`Since: ${Moment.expected}`) : error} />
        {isLoaded && shown.length === 0 && error === undefined ? (
          <p class="hint">No change matches. Every change of a row appears here.</p>
        ) : null}
        <ol class="history" aria-label="Changes">
          {shown.map((entry) => (
            <HistoryCard
              key={entry.sequence}
              entry={entry}
              withRow
              onUndo={() => void undo(entry.sequence, "The change is undone.", "Redo")}
            />
          ))}
        </ol>
        {hasOlder ? (
          <p>
            <Button icon="down" onClick={() => void loadOlder()}>
              Older changes
            </Button>
          </p>
        ) : changes.length >= Changes.most.changes ? (
          <p class="hint">The page keeps {Changes.most.changes} changes: filter to see older ones.</p>
        ) : null}
      </div>
      {isRewinding ? (
        <RewindForm at={newest?.at ?? new Date().toISOString()} onClose={() => setRewinding(false)} />
      ) : null}
    </Page>
  )
}
