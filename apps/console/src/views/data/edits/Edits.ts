/**
 * The queue of edits of the page, one for each world. It is kept for the tab, so that a failure, a sign-out or a reload
 * loses nothing that was typed.
 */
import { computed, effect, signal, type ReadonlySignal } from "@preact/signals"
import type { Json, JsonObject } from "@mfgdata/domain/Json"
import * as Admin from "../../../service/Admin.ts"
import * as Catalogue from "../../../service/Catalogue.ts"
import * as Service from "../../../service/Service.ts"
import * as Session from "../../../session/Session.ts"
import * as World from "../../../session/World.ts"
import * as Toasts from "../../../ui/Toasts.tsx"
import type * as CellInput from "../value/CellInput.ts"
import * as EditQueue from "./EditQueue.ts"
import * as NewId from "./NewId.ts"
import * as RowService from "./RowService.ts"
import * as SendEdits from "./SendEdits.ts"

/** The rows of the service. */
export const rows: RowService.RowService = RowService.make(Service.open)

const mostUndone = 100

const queues = signal<ReadonlyMap<string, EditQueue.Queue>>(new Map())
const kept = signal(true)
const sending = signal(false)
const version = signal(0)
let earlier: ReadonlyArray<readonly [world: string, queue: EditQueue.Queue]> = []

const keyOf = (world: string): string => `mfgdata.console.edits.${world}`

const stored = (world: string): EditQueue.Queue => {
  try {
    return EditQueue.fromText(sessionStorage.getItem(keyOf(world)))
  } catch {
    return EditQueue.empty
  }
}

/** The edits of the world that the page shows. */
export const queue: ReadonlySignal<EditQueue.Queue> = computed(() => {
  const world = World.current.value
  return queues.value.get(world) ?? stored(world)
})

/** False while the browser cannot keep the edits for a reload. */
export const isKept: ReadonlySignal<boolean> = kept

export const isSending: ReadonlySignal<boolean> = sending

/** The number of sendings that have changed rows: views load their rows again when it changes. */
export const sent: ReadonlySignal<number> = version

/** Makes the views load their rows again, after a change that was not sent by the queue. */
export const reload = (): void => {
  version.value += 1
}

const store = (world: string, next: EditQueue.Queue): void => {
  queues.value = new Map(queues.value).set(world, next)
  try {
    sessionStorage.setItem(keyOf(world), EditQueue.toText(next))
    kept.value = true
  } catch {
    kept.value = next.length === 0
  }
}

/** Changes the queue, so that `undo` takes the change back. */
export const change = (next: (queue: EditQueue.Queue) => EditQueue.Queue): void => {
  const before = queue.value
  const after = next(before)
  if (after === before) return
  earlier = [...earlier, [World.current.value, before] as const].slice(-mostUndone)
  store(World.current.value, after)
}

/** Takes the last change of the queue back. */
export const undo = (): void => {
  const world = World.current.value
  const last = earlier.at(-1)
  if (last === undefined || last[0] !== world) return
  earlier = earlier.slice(0, -1)
  store(world, last[1])
}

/** Changes a field of a row from the value that the person sees. */
export const update = (resource: string, key: string, column: string, seen: Json, input: CellInput.Input): void =>
  change((queue) => EditQueue.update(queue, NewId.make(), { resource, key }, column, seen, input))

/** Adds a row to create, and returns the identity of the edit. */
export const create = (resource: string, inputs: EditQueue.Inputs): string => {
  const id = NewId.make()
  change((queue) => EditQueue.create(queue, id, resource, inputs))
  return id
}

/** Marks rows for deletion as the person sees them; rows that are marked already are kept. */
export const toggleDeletion = (
  resource: string,
  marked: ReadonlyArray<{ readonly key: string; readonly base: JsonObject }>
): void =>
  change((queue) => {
    const deletions = marked.map(({ key }) => EditQueue.find(queue, resource, key))
    if (deletions.every((edit) => edit?._tag === "Delete"))
      return deletions.reduce((rest, edit) => (edit === undefined ? rest : EditQueue.drop(rest, edit.id)), queue)
    return marked.reduce((rest, { base, key }) => EditQueue.remove(rest, NewId.make(), { resource, key }, base), queue)
  })

/** Creates a deleted row again: by the history of the service, or with its key. */
const restore = async (deleted: SendEdits.Deleted): Promise<void> => {
  const { key, resource } = deleted
  if (Session.isAdministrator.value) {
    try {
      const [entry] = await Admin.perform("listHistory", { resource, key, limit: 1 })
      if (entry?.kind === "DELETE") {
        await Admin.perform("undoChange", { sequence: entry.sequence })
        return
      }
    } catch {
      // The service keeps no history: the row is created again.
    }
  }
  const written = await rows.upsert(resource, SendEdits.toUpsert(deleted))
  if (written._tag === "Refused") throw new Error(written.message)
}

const restoreAll = async (all: ReadonlyArray<SendEdits.Deleted>): Promise<void> => {
  try {
    for (const deleted of all.toReversed()) await restore(deleted)
    Toasts.show(all.length === 1 ? "The row is back." : `${all.length} rows are back.`)
  } catch (error) {
    Toasts.show(`The rows were not restored: ${error instanceof Error ? error.message : String(error)}`, {
      kind: "error"
    })
  }
  version.value += 1
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`

/** Sends all edits. Those that are refused stay in the queue. */
export const send = async (): Promise<void> => {
  if (sending.value) return
  const world = World.current.value
  const current = () => queues.value.get(world) ?? stored(world)
  const deleted: Array<SendEdits.Deleted> = []
  let done = 0
  sending.value = true
  earlier = []
  const error = await SendEdits.send(rows, current(), {
    onSent: ({ deleted: row, edit }) => {
      done++
      if (row !== undefined) deleted.push(row)
      store(world, EditQueue.drop(current(), edit.id))
    },
    onFailed: (id, failure) => store(world, EditQueue.fail(current(), id, failure))
  })
  sending.value = false
  if (done > 0) version.value += 1
  if (error !== undefined) Toasts.show(error instanceof Error ? error.message : String(error), { kind: "error" })
  const left = current().length
  const rest = left === 0 ? "" : ` ${counted(left, "edit")} left.`
  if (done === 0) return
  if (deleted.length > 0)
    Toasts.show(`${counted(done, "edit")} sent, ${counted(deleted.length, "row")} deleted.${rest}`, {
      undo: () => void restoreAll(deleted)
    })
  else Toasts.show(`${counted(done, "edit")} sent.${rest}`)
}

/** The names of the columns of a resource. */
export const columnsOf = (resource: string): ReadonlyArray<string> =>
  (Catalogue.find(resource)?.columns ?? []).map(({ name }) => name)

// Asks before the page is left with edits that the browser does not keep.
effect(() => {
  if (kept.value) return
  const warn = (event: BeforeUnloadEvent): void => event.preventDefault()
  addEventListener("beforeunload", warn)
  return () => removeEventListener("beforeunload", warn)
})
