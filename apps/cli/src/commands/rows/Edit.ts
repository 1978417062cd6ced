/**
 * `mfg <resource> edit <key>...`: changes rows in an editor, one as YAML and several as a table.
 */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import type { JsonObject } from "@mfgdata/domain/Json"
import type * as Resource from "@mfgdata/domain/Resource"
import type { Failure } from "@mfgdata/shell/Program"
import * as Terminal from "@mfgdata/shell/Terminal"
import * as Effect from "effect/Effect"
import type { FileFailed } from "../../CliError.ts"
import * as EditedRow from "../../edit/EditedRow.ts"
import * as EditedRows from "../../edit/EditedRows.ts"
import * as Editor from "../../edit/Editor.ts"
import * as RowEdit from "../../edit/RowEdit.ts"
import * as RowChange from "../../RowChange.ts"
import * as Connection from "../../service/Connection.ts"

/** The text to show again after a failure, with what is wrong with it. */
interface Again {
  readonly text: string
  readonly failure: Failure
}

/**
 * Opens a text until its result is accepted. On a terminal a text that is refused opens again; one that is saved as it
 * was ends the command, and its file is kept.
 */
const until = <A>(
  draft: Editor.Draft,
  text: string,
  accept: (saved: string) => Effect.Effect<A, Again>
): Effect.Effect<A, Failure | Editor.EditorFailed | FileFailed> => {
  const next = (shown: string, before: Failure | undefined): Effect.Effect<A, Failure> =>
    Effect.flatMap(draft.edit(shown), (saved) => {
      if (before !== undefined && saved === shown) return giveUp(before)
      return Effect.catchAll(accept(saved), ({ failure, text }) =>
        Terminal.canAsk() ? next(text, failure) : giveUp(failure)
      )
    })
  const giveUp = (failure: Failure): Effect.Effect<never, Failure> =>
    Effect.zipRight(draft.keep, Effect.zipRight(Terminal.note(`Your edit is in ${draft.path}.`), Effect.fail(failure)))
  return next(text, undefined)
}

const help = (subject: string): ReadonlyArray<string> => [
  `${subject}: change fields, and save. Without a change nothing is written.`
]

const advice = (failure: Failure): ReadonlyArray<string> => [
  failure.message,
  "Correct the fields, or remove these lines to try again. Saved as it is, the edit ends."
]

const one = (connection: Connection.Connection, resource: Resource.Any, key: string) =>
  Effect.gen(function* () {
    const subject = `${resource.resource} ${key}`
    const draft = yield* Editor.draft(`${resource.resource}.yaml`)
    let base = yield* RowEdit.read(connection, resource, key)
    const text = yield* EditedRow.write(resource, base.row, help(subject))
    const isChanged = yield* until(draft, text, (saved) =>
      Effect.gen(function* () {
        const fields = yield* Effect.catchAll(EditedRow.read(resource, draft.path, saved), (failure) =>
          Effect.fail<Again>({ failure, text: `# ${failure.message}\n${saved}` })
        )
        if (fields === undefined) return false
        const edited: JsonObject = { ...base.row, ...fields }
        return yield* Effect.catchAll(RowEdit.save(connection, resource, key, base, edited), (failure) =>
          Effect.gen(function* () {
            if (failure._tag !== "Conflicting") {
              const text = yield* EditedRow.write(resource, edited, advice(failure))
              return yield* Effect.fail<Again>({ failure, text })
            }
            const { error, newer } = failure
            const mine = RowChange.values(RowChange.between(resource, base.row, edited))
            base = newer
            const text = yield* EditedRow.write(resource, { ...newer.row, ...mine }, advice(error))
            return yield* Effect.fail<Again>({ failure: error, text })
          })
        )
      })
    )
    yield* Terminal.note(isChanged ? `Updated ${subject}.` : "No changes.")
  })

const several = (connection: Connection.Connection, resource: Resource.Any, keys: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const draft = yield* Editor.draft(`${resource.resource}.csv`)
    const bases = new Map<string, RowEdit.Version>()
    for (const key of keys) bases.set(key, yield* RowEdit.read(connection, resource, key))
    const rows = Array.from(bases.values(), ({ row }) => row)
    const edited = yield* until(draft, EditedRows.write(resource, rows), (saved) =>
      Effect.mapError(
        EditedRows.read(resource, draft.path, saved, new Set(bases.keys())),
        // A table has no comments: the message is on the terminal above.
        (failure): Again => ({ failure, text: saved })
      )
    )
    let updated = 0
    const failures: Array<Failure> = []
    for (const [key, fields] of edited) {
      const base = bases.get(key)
      if (base === undefined) continue
      const save = RowEdit.save(connection, resource, key, base, { ...base.row, ...fields })
      const result = yield* Effect.either(save)
      if (result._tag === "Right") {
        if (result.right) yield* Terminal.note(`Updated ${resource.resource} ${key}.`)
        updated += result.right ? 1 : 0
      } else failures.push(result.left._tag === "Conflicting" ? result.left.error : result.left)
    }
    const [first, ...others] = failures
    if (first === undefined) return updated === 0 ? yield* Terminal.note("No changes.") : undefined
    yield* draft.keep
    yield* Terminal.note(`Your edit is in ${draft.path}.`)
    for (const { message } of others) yield* Terminal.note(message)
    return yield* Effect.fail(first)
  })

/** The command of a resource. */
export const make = (resource: Resource.Any) =>
  Command.make(
    "edit",
    {
      keys: Args.text({ name: resource.key }).pipe(
        Args.withDescription(`${resource.key} of a row; several open a table.`),
        Args.atLeast(1)
      ),
      profile: Connection.profile
    },
    ({ keys, profile }) =>
      Connection.use(profile, (connection) => {
        const [key, ...others] = keys
        return Effect.scoped(others.length === 0 ? one(connection, resource, key) : several(connection, resource, keys))
      })
  ).pipe(
    Command.withDescription(
      `Change rows of ${resource.resource} in an editor (VISUAL, EDITOR). A row that somebody else changes in the meantime is merged field by field.`
    )
  )
