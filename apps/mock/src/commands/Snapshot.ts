/**
 * `mfg-mock snapshot`: everything a store holds, into a file and back.
 */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { resolve } from "node:path"
import type * as AdminApi from "../admin/AdminApi.ts"
import * as Flags from "./Flags.ts"
import * as AdminTarget from "./AdminTarget.ts"

const operations = { save: "saveSnapshot", restore: "restoreSnapshot" } as const satisfies {
  readonly [verb: string]: AdminApi.Name
}

const make = (verb: keyof typeof operations, description: string, done: string) =>
  Command.make(
    verb,
    {
      flags: Flags.options(["store"]),
      file: Args.text({ name: "file" }).pipe(
        Args.withDescription("A file; one that ends in .db is a database, others are compressed lines of JSON.")
      )
    },
    ({ file, flags }) =>
      Effect.gen(function* () {
        const known = yield* Flags.resolve(AdminTarget.settings, flags)
        // A service that has the store may stand in another folder.
        const path = resolve(file)
        yield* AdminTarget.ask(known, (control) => control[operations[verb]]({ file: path }), {
          isMade: verb === "restore"
        })
        yield* Console.error(`${done} ${file}.`)
      })
  ).pipe(Command.withDescription(`${description} For example: mfg-mock snapshot ${verb} all.ndjson.gz`))

export const command = Command.make("snapshot").pipe(
  Command.withDescription("Everything a store holds, into a file and back."),
  Command.withSubcommands([
    make("save", "Writes everything into a file.", "Saved to"),
    make("restore", "Replaces everything by what a file holds.", "Restored from")
  ])
)
