/**
 * `mfg-mock snapshot`: saves a whole store into a file, and restores it.
 */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import type * as AdminApi from "@mfgdata/client/AdminApi"
import * as Program from "@mfgdata/shell/Program"
import * as Terminal from "@mfgdata/shell/Terminal"
import * as Effect from "effect/Effect"
import { resolve } from "node:path"
import * as AdminTarget from "./AdminTarget.ts"
import * as Flags from "./Flags.ts"

const operations = { save: "saveSnapshot", restore: "restoreSnapshot" } as const satisfies {
  readonly [verb: string]: AdminApi.Name
}

const make = (verb: keyof typeof operations, description: string, done: string) =>
  Command.make(
    verb,
    {
      flags: Flags.options(["store"]),
      file: Args.text({ name: "file" }).pipe(
        Args.withDescription("Path of the file: a SQLite database if it ends in .db, else compressed NDJSON.")
      )
    },
    ({ file, flags }) =>
      Effect.gen(function* () {
        const settings = yield* Flags.resolve(AdminTarget.settings, flags)
        // The service that uses the store may have another working directory.
        const path = resolve(file)
        yield* AdminTarget.use(settings, (admin) => admin[operations[verb]]({ file: path }), {
          isCreated: verb === "restore"
        })
        yield* Terminal.note(`${done} ${file}.`)
      })
  ).pipe(Command.withDescription(`${description} For example: mfg-mock snapshot ${verb} all.ndjson.gz`))

const command = Command.make("snapshot").pipe(
  Command.withDescription("Snapshots of a whole store."),
  Command.withSubcommands([
    make("save", "Save a store into a file.", "Saved to"),
    make("restore", "Replace the contents of a store by those of a file.", "Restored from")
  ])
)

export const program: Program.Program = Program.make(command, ["save", "restore"])
