/**
 * Records the process that owns the file of a store. The lock itself belongs to the database and ends with the process;
 * the file `<store>.lock` next to it only names the owner to other processes, and is ignored without the lock.
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as fs from "node:fs"

/** The address of a service. */
const Address = Schema.Struct({ host: Schema.String, port: Schema.Int })
export type Address = typeof Address.Type

/** The process that has opened the store, and the address of its service; null until it listens. */
export const Owner = Schema.Struct({
  pid: Schema.Int,
  address: Schema.NullOr(Address)
})
export type Owner = typeof Owner.Type

const Note = Schema.parseJson(Owner)
const encode = Schema.encodeSync(Note)
const decode = Schema.decodeUnknownOption(Note)

const note = (path: string): string => `${path}.lock`

/** Writes the owner, and overwrites that of a dead process. */
export const write = (path: string, owner: Owner): void => fs.writeFileSync(note(path), encode(owner), { mode: 0o600 })

/** Reads the last owner, if the file is readable. */
export const read = (path: string): Option.Option<Owner> => {
  try {
    return decode(fs.readFileSync(note(path), "utf8"))
  } catch {
    return Option.none()
  }
}

/** Removes the file, unless another process has written it. */
export const remove = (path: string): void => {
  const owner = Option.getOrUndefined(read(path))
  if (owner === undefined || owner.pid === process.pid) fs.rmSync(note(path), { force: true })
}
