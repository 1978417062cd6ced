/**
 * The layout of a folder of pulled rows: a file for each resource, and below `.mfg` the rows as they were pulled.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { FileFailed } from "../CliError.ts"
import * as FileAccess from "../FileAccess.ts"

const Manifest = Schema.Struct({
  version: Schema.Literal(1),
  /** The address of the row interface. */
  source: Schema.String,
  pulledAt: Schema.String,
  resources: Schema.Array(Schema.String)
})
/** The facts of the last pull. */
export type Manifest = typeof Manifest.Type

/** A folder that mfg pull has not made, or that another version or service has. */
export class FolderUnusable extends Data.TaggedError("FolderUnusable")<{
  readonly path: string
  readonly reason: string
  readonly remedy: string
}> {
  override get message(): string {
    return `The folder ${this.path} cannot be used: ${this.reason}. ${this.remedy}`
  }
}

/** The file of a resource, which people change. */
export const file = (folder: string, { resource }: Resource.Any): string => join(folder, `${resource}.ndjson`)

/** The rows of a resource as they were pulled. */
export const base = (folder: string, { resource }: Resource.Any): string =>
  join(folder, ".mfg", "base", `${resource}.ndjson`)

/** The progress of a push. */
export const journal = (folder: string): string => join(folder, ".mfg", "push.ndjson")

/** The changes of rows that were deleted meanwhile. */
export const lost = (folder: string): string => join(folder, ".mfg", "lost.ndjson")

const manifest = (folder: string): string => join(folder, ".mfg", "pull.json")

const decode = Schema.decodeUnknownOption(Schema.parseJson(Manifest))

/** The manifest of a folder, if it was pulled. */
export const find = (folder: string): Effect.Effect<Option.Option<Manifest>, FolderUnusable> =>
  Effect.gen(function* () {
    const path = manifest(folder)
    if (!existsSync(path)) return Option.none()
    const read = decode(readFileSync(path, "utf8"))
    if (Option.isSome(read)) return read
    return yield* new FolderUnusable({
      path: folder,
      reason: `${path} is not a manifest of this version of mfg`,
      remedy: "Pull into a new folder, and copy your changes."
    })
  })

/** The manifest of a folder that was pulled. */
export const read = (folder: string): Effect.Effect<Manifest, FolderUnusable> =>
  Effect.flatMap(
    find(folder),
    Option.match({
      onSome: Effect.succeed,
      onNone: () =>
        new FolderUnusable({
          path: folder,
          reason: "it was not made by mfg pull",
          remedy: `Run: mfg pull --into ${folder}`
        })
    })
  )

/** Refuses the folder of another service. */
export const checkSource = (
  folder: string,
  { source }: Manifest,
  restUrl: string
): Effect.Effect<void, FolderUnusable> =>
  source === restUrl
    ? Effect.void
    : new FolderUnusable({
        path: folder,
        reason: `it was pulled from ${source}, not from ${restUrl}`,
        remedy: "Use the profile of that service (--profile)."
      })

/** Makes the folders. */
export const make = (folder: string): Effect.Effect<void, FileFailed> =>
  FileAccess.writing(folder, () => {
    mkdirSync(join(folder, ".mfg", "base"), { recursive: true })
    // The pulled rows are of this machine; a commit has the files alone.
    writeFileSync(join(folder, ".mfg", ".gitignore"), "*\n")
  })

/** Writes the manifest. */
export const write = (folder: string, facts: Manifest): Effect.Effect<void, FileFailed> =>
  FileAccess.writing(manifest(folder), () => {
    const path = manifest(folder)
    writeFileSync(`${path}.new`, `${JSON.stringify(facts, null, 2)}\n`)
    renameSync(`${path}.new`, path)
  })

/** The resources of a manifest, parents before their children. */
export const resourcesOf = ({ resources }: Manifest): ReadonlyArray<Resource.Any> =>
  Catalogue.importOrder.filter(({ resource }) => resources.includes(resource))
