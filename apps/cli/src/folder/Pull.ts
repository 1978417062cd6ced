/**
 * Pulls resources into a folder: exports each, sorts and formats its rows, and keeps a copy of them as they were.
 */
import type { QueryError } from "@mfgdata/client/ClientError"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Terminal from "@mfgdata/shell/Terminal"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { appendFileSync, existsSync, renameSync, rmSync } from "node:fs"
import type { FileFailed, InputMalformed } from "../CliError.ts"
import * as FileAccess from "../FileAccess.ts"
import type { Connection } from "../service/Connection.ts"
import * as Export from "../transfer/Export.ts"
import * as FolderChange from "./FolderChange.ts"
import * as PulledFolder from "./PulledFolder.ts"
import * as Rebase from "./Rebase.ts"
import * as RowLines from "./RowLines.ts"

/** A pulled resource. */
export interface Pulled {
  readonly resource: string
  readonly rows: number
  readonly bytes: number
}

function* formatted(resource: Resource.Any, path: string): Generator<readonly [key: string, line: string]> {
  const format = RowLines.formatter(resource)
  for (const { text } of RowLines.read(path)) {
    const row = RowLines.parse(text) ?? {}
    yield [String(row[resource.key] ?? ""), format(row)]
  }
}

/** Writes the rows of a file in the order of their keys. Only a service with another order costs memory. */
const writeSorted = (resource: Resource.Any, path: string, target: string): void => {
  let isSorted = true
  function* inOrder() {
    let last = ""
    for (const [key, line] of formatted(resource, path)) {
      isSorted = RowLines.compare(last, key) <= 0
      if (!isSorted) return
      last = key
      yield line
    }
  }
  RowLines.write(target, inOrder())
  if (isSorted) return
  const lines = Array.from(formatted(resource, path)).toSorted(([a], [b]) => RowLines.compare(a, b))
  RowLines.write(
    target,
    lines.map(([, line]) => line)
  )
}

/** The files that replace the rows of a resource and their copy. */
const next = (path: string): string => `${path}.next`

/** Renames the files that {@link stage} has written; those of an interrupted run too. */
export const commit = (folder: string, resource: Resource.Any): Effect.Effect<void, FileFailed> => {
  const paths = [PulledFolder.base(folder, resource), PulledFolder.file(folder, resource)]
  return FileAccess.writing(PulledFolder.file(folder, resource), () => {
    for (const path of paths) if (existsSync(next(path))) renameSync(next(path), path)
  })
}

function* textsOf(path: string): Generator<string, void, undefined> {
  for (const { text } of RowLines.read(path)) yield text
}

/** Keeps changes that the folder cannot hold, because their rows are gone. */
const keep = (folder: string, resource: Resource.Any, lost: ReadonlyArray<FolderChange.FolderChange>): void => {
  for (const change of lost) {
    const row = change._tag === "Delete" ? change.base : change.row
    appendFileSync(PulledFolder.lost(folder), `${JSON.stringify({ resource: resource.resource, row })}\n`)
  }
}

/**
 * Writes the rows of a resource, with the changes that stay, next to the files that they replace. An interrupted run
 * continues.
 */
export const stage = (
  connection: Connection,
  folder: string,
  resource: Resource.Any,
  changes: ReadonlyArray<FolderChange.FolderChange>
): Effect.Effect<Pulled & { readonly conflicts: ReadonlyArray<Rebase.Conflict> }, QueryError | FileFailed> =>
  Effect.gen(function* () {
    const base = PulledFolder.base(folder, resource)
    const path = `${base}.export`
    const options = { resource, path, format: "ndjson", query: "", columns: [], restart: false } as const
    const { bytes, rows } = yield* Export.run(connection, options)
    const conflicts = yield* FileAccess.writing(base, () => {
      writeSorted(resource, path, next(base))
      const rebased = Rebase.make(resource, textsOf(next(base)), changes)
      RowLines.write(next(PulledFolder.file(folder, resource)), rebased.lines)
      keep(folder, resource, rebased.lost)
      rmSync(path, { force: true })
      return rebased.conflicts
    })
    return { resource: resource.resource, rows, bytes, conflicts }
  })

export interface Options {
  readonly folder: string
  readonly resources: ReadonlyArray<Resource.Any>
  /** True when the resources were named: one that the key cannot read is an error then. */
  readonly isNamed: boolean
  /** True to discard the changes of the folder; else they stay, on top of the newer rows. */
  readonly discards: boolean
  /** The resources that the folder has besides. */
  readonly others: ReadonlyArray<string>
}

/** The result of a pull. */
export interface Result {
  readonly pulled: ReadonlyArray<Pulled>
  readonly conflicts: ReadonlyArray<Rebase.Conflict>
}

/** Pulls resources into a folder. */
export const run = (
  connection: Connection,
  { discards, folder, isNamed, others, resources }: Options
): Effect.Effect<Result, QueryError | FileFailed | InputMalformed> =>
  Effect.gen(function* () {
    yield* PulledFolder.make(folder)
    const pulled: Array<Pulled> = []
    const conflicts: Array<Rebase.Conflict> = []
    for (const resource of resources) {
      const hasChanges = !discards && existsSync(PulledFolder.base(folder, resource))
      const changes = hasChanges ? yield* Either.all(FolderChange.changes(resource, folder)) : []
      const result = yield* Effect.either(
        Effect.zipLeft(stage(connection, folder, resource, changes), commit(folder, resource))
      )
      if (result._tag === "Right") {
        const { conflicts: found, ...file } = result.right
        pulled.push(file)
        conflicts.push(...found)
      } else if (result.left._tag === "Forbidden" && !isNamed) {
        yield* Terminal.note(`Skipped ${resource.resource}: ${result.left.message}`)
      } else return yield* Effect.fail(result.left)
    }
    yield* PulledFolder.write(folder, {
      version: 1,
      source: connection.profile.restUrl,
      pulledAt: new Date(yield* Clock.currentTimeMillis).toISOString(),
      resources: [...new Set([...others, ...pulled.map(({ resource }) => resource)])]
    })
    return { pulled, conflicts }
  })
