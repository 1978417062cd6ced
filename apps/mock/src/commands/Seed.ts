/**
 * `mfg-mock seed`: puts the rows of a file into a store.
 */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Seeder from "../seeds/Seeder.ts"
import { storeName } from "../Settings.ts"
import * as Flags from "./Flags.ts"
import * as AdminTarget from "./AdminTarget.ts"

const flags = Flags.options(["store", "rules"])

export const command = Command.make(
  "seed",
  { flags, file: Args.text({ name: "file" }).pipe(Args.withDescription("A seed file; see the documentation.")) },
  ({ file, flags }) =>
    Effect.gen(function* () {
      const known = yield* Flags.resolve(["store", "rules"], flags)
      yield* AdminTarget.alone(known, (world) => Seeder.plant(world, { _tag: "File", path: file }))
      yield* Console.error(`Put ${file} into ${storeName(known.store)}.`)
    })
).pipe(
  Command.withDescription(
    "Puts the companies, users and rows of a file into a store that no service has. For example: mfg-mock seed rows.json"
  )
)
