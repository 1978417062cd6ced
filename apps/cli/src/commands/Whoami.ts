/**
 * `mfg whoami`: shows the user of the key, and the service.
 */
import * as Command from "@effect/cli/Command"
import * as Json from "@mfgdata/domain/Json"
import { account } from "@mfgdata/domain/Operations"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Company from "../service/Company.ts"
import * as Connection from "../service/Connection.ts"
import * as Operations from "../service/Operations.ts"
import * as Output from "@mfgdata/shell/output/Output"
import * as Program from "@mfgdata/shell/Program"

const isRow = Schema.is(Json.JsonObject)

const command = Command.make("whoami", { output: Output.options, profile: Connection.profile }, ({ output, profile }) =>
  Connection.use(profile, (connection) =>
    Effect.gen(function* () {
      const { name, profile } = connection
      const user = yield* Operations.call(connection, account.getCurrentUser, {})
      const companyId = profile.companyId ?? (yield* Company.find(connection)) ?? null
      const facts: Output.Row = { profile: name, restUrl: profile.restUrl, baseUrl: profile.baseUrl, companyId }
      yield* Output.one({ ...facts, ...(isRow(user) ? user : {}) }, output)
    })
  )
).pipe(Command.withDescription("Show the user of the key, and the service."))

export const program: Program.Program = Program.make(command)
