/**
 * The edits that were made and not sent: creates, updates and deletions, each with the text that was typed, so that
 * nothing is lost when a value is refused, the person is signed out, or the page is loaded again.
 */
import type { Json, JsonObject } from "@mfgdata/domain/Json"
import type * as CellInput from "../value/CellInput.ts"

/** The inputs of the edited fields. */
export interface Inputs {
  readonly [column: string]: CellInput.Input
}

/** The changes that another person has made to the fields of an edit since it began. */
export interface Conflict {
  /** Their values of the edited fields. */
  readonly theirs: JsonObject
  /** The fields that both have changed. */
  readonly fields: ReadonlyArray<string>
}

/** The reason why an edit was not accepted. */
export interface Failure {
  readonly message: string
  /** The reason by the field that it names. */
  readonly fields: { readonly [column: string]: string }
  readonly conflict?: Conflict
}

interface Base {
  /** The identity of the edit, which also makes its repeated request harmless. */
  readonly id: string
  readonly resource: string
  readonly failure?: Failure | undefined
}

/** A row to create. */
export interface Create extends Base {
  readonly _tag: "Create"
  readonly inputs: Inputs
  /** The number of changes since the row was added: another row needs another idempotency key. */
  readonly revision: number
}

/** The changed fields of a row, which keeps its key here until they are sent. */
export interface Update extends Base {
  readonly _tag: "Update"
  readonly key: string
  readonly inputs: Inputs
  /** The values of these fields as the person saw them. */
  readonly base: JsonObject
}

/** A row to delete. */
export interface Delete extends Base {
  readonly _tag: "Delete"
  readonly key: string
  /** The row as the person saw it. */
  readonly base: JsonObject
}

export type Edit = Create | Update | Delete

export type Queue = ReadonlyArray<Edit>

export const empty: Queue = []

const isSame = (one: Json | undefined, other: Json | undefined): boolean =>
  one === other || JSON.stringify(one ?? null) === JSON.stringify(other ?? null)

/** The edit of a row. */
export const find = (queue: Queue, resource: string, key: string): Update | Delete | undefined =>
  queue.find(
    (edit): edit is Update | Delete => edit._tag !== "Create" && edit.resource === resource && edit.key === key
  )

const replace = (queue: Queue, id: string, edit: Edit | undefined): Queue =>
  queue.flatMap((other) => (other.id !== id ? [other] : edit === undefined ? [] : [edit]))

const without = <A>(record: { readonly [name: string]: A }, name: string): { readonly [name: string]: A } =>
  Object.fromEntries(Object.entries(record).filter(([other]) => other !== name))

/** The failure without the part that concerns a field, which has changed. */
const forget = (failure: Failure | undefined, column: string): Failure | undefined => {
  if (failure === undefined) return undefined
  const fields = without(failure.fields, column)
  return Object.keys(fields).length === 0 && failure.conflict === undefined ? undefined : { ...failure, fields }
}

/** Adds a row to create. */
export const create = (queue: Queue, id: string, resource: string, inputs: Inputs): Queue => [
  ...queue,
  { _tag: "Create", id, resource, inputs, revision: 0 }
]

/** Changes a field of a row from the value that the person sees; that value again removes the change. */
export const update = (
  queue: Queue,
  id: string,
  { key, resource }: { readonly resource: string; readonly key: string },
  column: string,
  seen: Json,
  input: CellInput.Input
): Queue => {
  const edit = find(queue, resource, key)
  if (edit?._tag === "Delete") return queue
  const before: Update = edit ?? { _tag: "Update", id, resource, key, inputs: {}, base: {} }
  const base = before.base[column] ?? seen
  const isUnchanged = input.problem === undefined && isSame(input.value, base)
  const next: Update = {
    ...before,
    inputs: isUnchanged ? without(before.inputs, column) : { ...before.inputs, [column]: input },
    base: isUnchanged ? without(before.base, column) : { ...before.base, [column]: base },
    failure: forget(before.failure, column)
  }
  if (Object.keys(next.inputs).length === 0) return drop(queue, before.id)
  return edit === undefined ? [...queue, next] : replace(queue, before.id, next)
}

/** Changes a field of a row to create; `undefined` leaves it to the service. */
export const change = (queue: Queue, id: string, column: string, input: CellInput.Input | undefined): Queue => {
  const edit = queue.find((other) => other.id === id)
  if (edit?._tag !== "Create") return queue
  const inputs = input === undefined ? without(edit.inputs, column) : { ...edit.inputs, [column]: input }
  return replace(queue, id, { ...edit, inputs, revision: edit.revision + 1, failure: forget(edit.failure, column) })
}

/** Marks a row for deletion, in place of its changes. */
export const remove = (
  queue: Queue,
  id: string,
  { key, resource }: { readonly resource: string; readonly key: string },
  base: JsonObject
): Queue => {
  const edit = find(queue, resource, key)
  const deletion: Delete = { _tag: "Delete", id: edit?.id ?? id, resource, key, base }
  return edit === undefined ? [...queue, deletion] : replace(queue, edit.id, deletion)
}

/** Takes an edit back. */
export const drop = (queue: Queue, id: string): Queue => replace(queue, id, undefined)

/** Takes the change of one field back. */
export const revert = (queue: Queue, id: string, column: string): Queue => {
  const edit = queue.find((other) => other.id === id)
  if (edit?._tag === "Create") return change(queue, id, column, undefined)
  if (edit?._tag !== "Update") return queue
  const inputs = without(edit.inputs, column)
  return Object.keys(inputs).length === 0
    ? drop(queue, id)
    : replace(queue, id, {
        ...edit,
        inputs,
        base: without(edit.base, column),
        failure: decided(forget(edit.failure, column), column)
      })
}

/** The failure without the conflict of a field; none after the last one. */
const decided = (failure: Failure | undefined, column: string): Failure | undefined => {
  const conflict = failure?.conflict
  if (failure === undefined || conflict === undefined) return failure
  const fields = conflict.fields.filter((field) => field !== column)
  return fields.length === 0 ? undefined : { ...failure, conflict: { ...conflict, fields } }
}

/** Records the reason why an edit was not accepted. */
export const fail = (queue: Queue, id: string, failure: Failure): Queue =>
  queue.map((edit) => (edit.id === id ? { ...edit, failure } : edit))

/** The fields of an edit that have another value in the row now: neither the one that was seen, nor the edited one. */
export const changedIn = ({ base, ...edit }: Update | Delete, row: JsonObject): ReadonlyArray<string> =>
  Object.keys(base).filter(
    (column) =>
      !isSame(row[column], base[column]) && !(edit._tag === "Update" && isSame(row[column], edit.inputs[column]?.value))
  )

/** The values of some fields. */
export const pick = (row: JsonObject, columns: ReadonlyArray<string>): JsonObject =>
  Object.fromEntries(columns.map((column) => [column, row[column] ?? null]))

/** Decides a conflict of one field. */
export const resolve = (queue: Queue, id: string, column: string, choice: "mine" | "theirs"): Queue => {
  const edit = queue.find((other) => other.id === id)
  const failure = edit?.failure
  if (edit?._tag !== "Update" || failure?.conflict === undefined) return queue
  if (choice === "theirs") return revert(queue, id, column)
  const next = { ...edit, base: { ...edit.base, [column]: failure.conflict.theirs[column] ?? null } }
  return replace(queue, id, { ...next, failure: decided(failure, column) })
}

/** A changed field of a review. */
export interface Difference {
  readonly column: string
  /** `undefined` in a new row. */
  readonly from: Json | undefined
  readonly input: CellInput.Input
  readonly problem: string | undefined
}

/** The changed fields of an edit, in the order of their columns. */
export const differences = (edit: Edit, columns: ReadonlyArray<string>): ReadonlyArray<Difference> => {
  if (edit._tag === "Delete") return []
  return columns.flatMap((column) => {
    const input = edit.inputs[column]
    if (input === undefined) return []
    const problem = input.problem ?? edit.failure?.fields[column]
    return [{ column, from: edit._tag === "Update" ? (edit.base[column] ?? null) : undefined, input, problem }]
  })
}

/** The values of an edit; `undefined` while one of its fields has no value. */
export const values = ({ inputs }: Create | Update): JsonObject | undefined => {
  const fields = Object.entries(inputs)
  return fields.some(([, { problem }]) => problem !== undefined)
    ? undefined
    : Object.fromEntries(fields.map(([column, { value = null }]) => [column, value]))
}

const format = 1

/** The queue as text to store. */
export const toText = (queue: Queue): string => JSON.stringify({ format, queue })

/** The queue of a stored text; an unreadable one is empty. */
export const fromText = (text: string | null): Queue => {
  try {
    const stored: unknown = JSON.parse(text ?? "null")
    return typeof stored === "object" &&
      stored !== null &&
      "format" in stored &&
      stored.format === format &&
      "queue" in stored
      ? // The page itself wrote it in this format.
        (stored.queue as Queue)
      : empty
  } catch {
    return empty
  }
}
