/**
 * `mfg-mock snapshot`: saves a whole store into a file, once or at regular times, and restores it.
 */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { UsageError } from "@mfgdata/domain/UsageError"
import * as Program from "@mfgdata/shell/Program"
import * as Terminal from "@mfgdata/shell/Terminal"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { resolve } from "node:path"
import { duration, times, whole } from "../SettingValue.ts"
import * as AdminTarget from "./target/AdminTarget.ts"
import * as Flags from "./Flags.ts"
import * as SnapshotSchedule from "./snapshots/SnapshotSchedule.ts"

const described = (description: string) => Args.text({ name: "file" }).pipe(Args.withDescription(description))

const forms = "a SQLite database if it ends in .db, else compressed NDJSON"

const schedule = {
  every: Options.text("every").pipe(
    Options.withPseudoName("time"),
    Options.withDescription("Time between two snapshots in a folder, such as 5m (default: one snapshot into a file)."),
    Options.optional
  ),
  keep: Options.text("keep").pipe(
    Options.withPseudoName("number"),
    Options.withDescription("Number of snapshots that --every keeps (default 48)."),
    Options.optional
  )
}

const defaultKeep = "48"

/** Parses the value of a flag, or fails with an error that names the flag. */
const parsed = <A>(
  flag: string,
  text: string,
  parse: (text: string) => A | undefined,
  expected: string,
  example: string
) => {
  const value = parse(text)
  return value === undefined
    ? Effect.fail(
        new UsageError({
          problem: `Invalid value ${JSON.stringify(text)} for --${flag}: expected ${expected}.`,
          example: `--${flag} ${example}`
        })
      )
    : Effect.succeed(value)
}

const save = Command.make(
  "save",
  {
    flags: Flags.options(["store", "pooling"]),
    ...schedule,
    file: described(`Path of the file: ${forms}. With --every, of the folder of the snapshots.`)
  },
  ({ every, file, flags, keep }) =>
    Effect.gen(function* () {
      const target = yield* Flags.resolve(AdminTarget.settings, flags)
      // The service that uses the store may have another working directory.
      const path = resolve(file)
      if (Option.isNone(every)) {
        if (Option.isSome(keep)) {
          return yield* new UsageError({
            problem: "--keep is for snapshots at regular times.",
            example: `mfg-mock snapshot save --every 5m --keep ${keep.value} ${file}`
          })
        }
        yield* AdminTarget.use(target, (admin) => admin.saveSnapshot({ file: path }))
        return yield* Terminal.note(`Saved to ${file}.`)
      }
      const expected = "a time from 1s to 30d, such as 5m or 1h"
      return yield* SnapshotSchedule.run({
        target,
        folder: path,
        everyMillis: yield* parsed("every", every.value, duration(1000, 30 * times.d), expected, "5m"),
        keep: yield* parsed(
          "keep",
          Option.getOrElse(keep, () => defaultKeep),
          whole(1, 1_000_000),
          "an integer from 1 to 1000000",
          defaultKeep
        )
      })
    })
).pipe(
  Command.withDescription(
    "Save a store into a file, or into a folder at regular times. For example: mfg-mock snapshot save --every 5m .mfgdata/snapshots"
  )
)

const restore = Command.make(
  "restore",
  { flags: Flags.options(["store", "pooling"]), file: described(`Path of the file: ${forms}.`) },
  ({ file, flags }) =>
    Effect.gen(function* () {
      const target = yield* Flags.resolve(AdminTarget.settings, flags)
      yield* AdminTarget.use(target, (admin) => admin.restoreSnapshot({ file: resolve(file) }), { isCreated: true })
      yield* Terminal.note(`Restored from ${file}.`)
    })
).pipe(
  Command.withDescription(
    "Replace the contents of a store by those of a file. For example: mfg-mock snapshot restore all.ndjson.gz"
  )
)

const command = Command.make("snapshot").pipe(
  Command.withDescription("Snapshots of a whole store."),
  Command.withSubcommands([save, restore])
)

export const program: Program.Program = Program.make(command, ["save", "restore"])
