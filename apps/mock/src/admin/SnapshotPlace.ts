/**
 * Decides where an administrator may save a snapshot: over the network below one folder, and nowhere in place of another
 * file.
 */
import * as Either from "effect/Either"
import * as fs from "node:fs"
import * as path from "node:path"
import * as Snapshot from "../store/Snapshot.ts"
import { AdminRefused } from "./AdminRefused.ts"

type Result = Either.Either<string, AdminRefused>

const refused = (code: AdminRefused["code"], message: string): Result =>
  Either.left(new AdminRefused({ code, message }))

const isWithin = (folder: string, file: string): boolean => {
  const relative = path.relative(folder, file)
  return relative !== "" && !relative.startsWith("..") && !path.isAbsolute(relative)
}

/** Creates the folder of a file, and returns the path of the file without symbolic links in its folders. */
const real = (file: string): string => {
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  return path.join(fs.realpathSync(path.dirname(file)), path.basename(file))
}

/** The path of a snapshot below a folder; without a folder, any path. */
export const within = (folder: string | undefined, file: string): Result => {
  if (folder === undefined) return Either.right(file)
  const root = path.resolve(folder)
  const asked = path.resolve(root, file)
  const outside = () =>
    refused("FORBIDDEN", `Snapshots of a running service are files below ${root} (--snapshots), unlike ${file}`)
  if (!isWithin(root, asked)) return outside()
  fs.mkdirSync(root, { recursive: true, mode: 0o700 })
  const found = real(asked)
  const isLink = fs.lstatSync(found, { throwIfNoEntry: false })?.isSymbolicLink() === true
  return isLink || !isWithin(fs.realpathSync(root), found) ? outside() : Either.right(found)
}

/** The path of a new snapshot, which may replace another snapshot only. */
export const toSave = (folder: string | undefined, file: string): Result =>
  Either.flatMap(within(folder, file), (found) =>
    fs.existsSync(found) && !Snapshot.is(found)
      ? refused("CONFLICT", `${file} exists and is not a snapshot: expected the name of a new file, or of a snapshot`)
      : Either.right(found)
  )
