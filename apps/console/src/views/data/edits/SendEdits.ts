/**
 * Sends the edits of a queue one after the other. Each is compared with its row as it is now, and sent for that version:
 * changes of other fields are kept, and those of the same field are a conflict. An edit that is refused stays in the queue
 * with its reason; an error that concerns all requests ends the sending.
 */
import type { Json, JsonObject } from "@mfgdata/domain/Json"
import * as Catalogue from "../../../service/Catalogue.ts"
import * as EditQueue from "./EditQueue.ts"
import type { RowService, Written } from "./RowService.ts"

/** A row that was deleted, as it was. */
export interface Deleted {
  readonly resource: string
  readonly key: string
  readonly row: JsonObject
}

/** An edit that the service has carried out. */
export interface Sent {
  readonly edit: EditQueue.Edit
  /** The key of the row after it. */
  readonly key: string
  /** The row that was deleted. */
  readonly deleted?: Deleted
}

/** The events of a sending. */
export interface Progress {
  readonly onSent: (sent: Sent) => void
  readonly onFailed: (id: string, failure: EditQueue.Failure) => void
}

type Result = { readonly sent: Sent } | { readonly failure: EditQueue.Failure }

/** The number of versions of a row that a sending follows while others keep changing it. */
const mostVersions = 5

const failed = (message: string): Result => ({ failure: { message, fields: {} } })

const missing = failed("The row does not exist any more.")

const invalid = (edit: EditQueue.Create | EditQueue.Update): Result => ({
  failure: {
    message: "Some fields have no valid value.",
    fields: Object.fromEntries(
      Object.entries(edit.inputs).flatMap(([column, { problem }]) => (problem === undefined ? [] : [[column, problem]]))
    )
  }
})

const keyOf = (resource: string, row: JsonObject, fallback: string): string => {
  const key = row[Catalogue.find(resource)?.key ?? "id"]
  return typeof key === "string" || typeof key === "number" ? String(key) : fallback
}

const resultOf = (
  edit: EditQueue.Edit,
  written: Exclude<Written, { readonly _tag: "Outdated" }>,
  deleted?: Deleted
): Result => {
  switch (written._tag) {
    case "Written": {
      const key = keyOf(edit.resource, written.row, edit._tag === "Create" ? "" : edit.key)
      return { sent: { edit, key, ...(deleted && { deleted }) } }
    }
    case "Refused":
      return { failure: { message: written.message, fields: written.fields } }
    case "Missing":
      return missing
  }
}

const conflictOf = (edit: EditQueue.Update | EditQueue.Delete, row: JsonObject): Result | undefined => {
  const fields = EditQueue.changedIn(edit, row)
  if (fields.length === 0) return undefined
  const message = `Another person has changed ${fields.join(", ")} in the meantime.`
  return edit._tag === "Delete"
    ? failed(`${message} Mark the row again to delete it as it is now.`)
    : { failure: { message, fields: {}, conflict: { theirs: EditQueue.pick(row, Object.keys(edit.inputs)), fields } } }
}

/** Changes or deletes a row as it is now, and looks at it again while others keep changing it. */
const write = async (rows: RowService, edit: EditQueue.Update | EditQueue.Delete): Promise<Result> => {
  const values = edit._tag === "Update" ? EditQueue.values(edit) : {}
  if (edit._tag === "Update" && values === undefined) return invalid(edit)
  for (let version = 0; version < mostVersions; version++) {
    const now = await rows.retrieve(edit.resource, edit.key)
    if (now === undefined) return missing
    const conflict = conflictOf(edit, now.row)
    if (conflict !== undefined) return conflict
    const written = await (edit._tag === "Update"
      ? rows.update(edit.resource, edit.key, values ?? {}, now.etag)
      : rows.remove(edit.resource, edit.key, now.etag))
    if (written._tag !== "Outdated")
      return edit._tag === "Update"
        ? resultOf(edit, written)
        : resultOf(edit, written, { resource: edit.resource, key: edit.key, row: now.row })
  }
  return failed("The row keeps changing; send the edit again.")
}

const sendOne = async (rows: RowService, edit: EditQueue.Edit): Promise<Result> => {
  if (edit._tag !== "Create") return write(rows, edit)
  const values = EditQueue.values(edit)
  if (values === undefined) return invalid(edit)
  const written = await rows.create(edit.resource, values, `${edit.id}.${edit.revision}`)
  return written._tag === "Outdated" ? missing : resultOf(edit, written)
}

/** Sends all edits, and returns the error that ended the sending early, if one did. */
export const send = async (rows: RowService, queue: EditQueue.Queue, progress: Progress): Promise<unknown> => {
  for (const edit of queue) {
    try {
      const result = await sendOne(rows, edit)
      if ("sent" in result) progress.onSent(result.sent)
      else progress.onFailed(edit.id, result.failure)
    } catch (error) {
      return error
    }
  }
  return undefined
}

const valuesOf = (row: JsonObject, isTaken: (column: Catalogue.ColumnInfo) => boolean, resource: string): JsonObject =>
  Object.fromEntries(
    (Catalogue.find(resource)?.columns ?? []).flatMap((column): ReadonlyArray<[string, Json]> => {
      const value = row[column.name]
      return value === undefined || value === null || !isTaken(column) ? [] : [[column.name, value]]
    })
  )

/** The values that create a deleted row again, with its key. */
export const toUpsert = ({ resource, row }: Deleted): JsonObject => {
  const key = Catalogue.find(resource)?.key
  return valuesOf(row, ({ name, write }) => write !== "never" || name === key, resource)
}

/** The values of a copy of a row: its writable fields. */
export const toCopy = (resource: string, row: JsonObject): JsonObject =>
  valuesOf(row, ({ write }) => write !== "never", resource)
