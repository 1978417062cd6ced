/**
 * `mfg whoami`: whose key is used, and at which service.
 */
import * as Command from "@effect/cli/Command"
import * as Json from "@mfgdata/domain/Json"
import { account } from "@mfgdata/domain/Operations"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Company from "../Company.ts"
import * as Connection from "../Connection.ts"
import * as Operations from "../Operations.ts"
import * as Output from "../Output.ts"
import * as Program from "../Program.ts"

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
).pipe(Command.withDescription("Show whose key is used, and at which service."))

export const program: Program.Program = Program.make(command)
