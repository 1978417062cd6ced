/**
 * `mfg why <resource> <key>`: shows everything that touched a row.
 */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Output from "@mfgdata/shell/output/Output"
import * as Program from "@mfgdata/shell/Program"
import * as Terminal from "@mfgdata/shell/Terminal"
import * as Effect from "effect/Effect"
import * as CauseLines from "../history/CauseLines.ts"
import * as HistoryWorld from "../history/HistoryWorld.ts"
import * as ResourceName from "../ResourceName.ts"
import * as Connection from "../service/Connection.ts"

const command = Command.make(
  "why",
  {
    name: Args.text({ name: "resource" }).pipe(Args.withDescription("Resource of the row.")),
    key: Args.text({ name: "key" }).pipe(Args.withDescription("Key of the row.")),
    world: HistoryWorld.flag,
    output: Output.options,
    profile: Connection.profile
  },
  ({ key, name, output, profile, world }) =>
    Connection.use(profile, (connection) =>
      Effect.gen(function* () {
        const { resource } = yield* ResourceName.parse(name)
        const { admin, company } = HistoryWorld.use(connection, "mfg why", world)
        const causes = yield* admin.explainRow({ resource, key, ...company })
        if (!Output.isTable(output)) return yield* Output.show(causes, output, { none: "" })
        if (causes.length === 0) yield* Terminal.note(`The history has no change of ${resource} ${key}.`)
        yield* Terminal.write(
          causes
            .flatMap(CauseLines.lines)
            .map((line) => `${line}\n`)
            .join("")
        )
      })
    )
).pipe(Command.withDescription("Show everything that touched a row: requests, changes, deliveries and attempts."))

export const program: Program.Program = Program.make(command, [])
