/**
 * `mfg-mock seed`: loads the rows of a file into a store.
 */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Program from "@mfgdata/shell/Program"
import * as Terminal from "@mfgdata/shell/Terminal"
import * as Effect from "effect/Effect"
import * as Seeder from "../seeds/Seeder.ts"
import { storeName } from "../Settings.ts"
import * as AdminTarget from "./target/AdminTarget.ts"
import * as Flags from "./Flags.ts"

const flags = Flags.options(["store", "pooling", "rules"])

const command = Command.make(
  "seed",
  { flags, file: Args.text({ name: "file" }).pipe(Args.withDescription("Path of a seed file (JSON).")) },
  ({ file, flags }) =>
    Effect.gen(function* () {
      const settings = yield* Flags.resolve(["store", "pooling", "rules", "secretKey"], flags)
      yield* AdminTarget.alone(settings, (world) => Seeder.load(world, { _tag: "File", path: file }))
      yield* Terminal.note(`Loaded ${file} into ${storeName(settings.store)}.`)
    })
).pipe(
  Command.withDescription(
    "Load the companies, users and rows of a file into a store that no service uses. For example: mfg-mock seed rows.json"
  )
)

export const program: Program.Program = Program.make(command)
