/**
 * Who owns a store's file. The lock itself is the database's and ends with its process; the note beside the file only
 * tells a second process whom to ask, and means nothing once nobody holds the lock.
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as fs from "node:fs"

/** Where a service listens. */
const Address = Schema.Struct({ host: Schema.String, port: Schema.Int })
export type Address = typeof Address.Type

/** The process that has the store open, and where it serves once it listens. */
export const Owner = Schema.Struct({
  pid: Schema.Int,
  address: Schema.NullOr(Address)
})
export type Owner = typeof Owner.Type

const Note = Schema.parseJson(Owner)
const encode = Schema.encodeSync(Note)
const decode = Schema.decodeUnknownOption(Note)

const note = (path: string): string => `${path}.lock`

/** Says who owns the file; what a dead process left there is overwritten. */
export const write = (path: string, owner: Owner): void => fs.writeFileSync(note(path), encode(owner))

/** Who said to own the file last, if the note can be read. */
export const read = (path: string): Option.Option<Owner> => {
  try {
    return decode(fs.readFileSync(note(path), "utf8"))
  } catch {
    return Option.none()
  }
}

/** Takes the note away. */
export const remove = (path: string): void => fs.rmSync(note(path), { force: true })
