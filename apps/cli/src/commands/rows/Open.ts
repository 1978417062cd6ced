/**
 * `mfg <resource> open <key>`: shows a row in the browser.
 */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Output from "@mfgdata/shell/output/Output"
import * as Terminal from "@mfgdata/shell/Terminal"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Browser from "../../Browser.ts"
import * as Connection from "../../service/Connection.ts"
import * as RowPage from "../../service/RowPage.ts"
import * as RowRead from "../../service/RowRead.ts"

/** True when the flags ask for a form of the output: rows, in place of the bare address. */
const hasForm = ({ fields, format, jq, template }: Output.Flags): boolean =>
  Option.isSome(fields) || Option.isSome(format) || Option.isSome(jq) || Option.isSome(template)

/** The command of a resource. */
export const make = (resource: Resource.Any) =>
  Command.make(
    "open",
    {
      key: Args.text({ name: resource.key }).pipe(Args.withDescription(`${resource.key} of the row.`)),
      noBrowser: Options.boolean("no-browser").pipe(
        Options.withDescription("Address on standard output, without a browser.")
      ),
      output: Output.options,
      profile: Connection.profile
    },
    ({ key, noBrowser, output, profile }) =>
      Effect.gen(function* () {
        const found = yield* Connection.use(profile, (connection) =>
          Effect.zipRight(
            RowRead.one(connection, resource, key, [resource.key]),
            RowPage.find(connection, resource, key)
          )
        )
        yield* hasForm(output) ? Output.one({ ...found }, output) : Terminal.write(`${found.url}\n`)
        if (found.page === "reference") {
          yield* Terminal.note("The service has no console; this is the reference of the resource.")
        }
        if (!noBrowser && Terminal.isTerminal()) yield* Browser.open(found.url)
      })
  ).pipe(
    Command.withDescription(
      `Show a row of ${resource.resource} in the browser: in the console of the service, or else the reference of the resource. Without a terminal or a browser, only the address is written.`
    )
  )
