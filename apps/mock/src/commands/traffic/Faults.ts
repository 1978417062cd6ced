/**
 * `mfg-mock faults`: the fault rules of a running service.
 */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as AdminApi from "@mfgdata/client/AdminApi"
import { UsageError } from "@mfgdata/domain/UsageError"
import * as Table from "@mfgdata/shell/output/Table"
import * as Program from "@mfgdata/shell/Program"
import * as Terminal from "@mfgdata/shell/Terminal"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Reason from "../../Reason.ts"
import * as ServiceTarget from "../target/ServiceTarget.ts"

const decodeRule = Schema.decodeUnknownEither(Schema.parseJson(AdminApi.FaultRule), { onExcessProperty: "error" })

/** The request for a rule as JSON, or for the name of a set. */
const requestOf = (text: string): Effect.Effect<AdminApi.Request<"createFault">, UsageError> =>
  text.trimStart().startsWith("{")
    ? Either.match(decodeRule(text), {
        onLeft: (error) =>
          Effect.fail(
            new UsageError({
              problem: `The rule is not accepted: ${Reason.ofParse(error)}.`,
              example: `mfg-mock faults set '{"match":{"method":"POST"},"probability":0.1,"reset":"after-commit"}'`
            })
          ),
        onRight: (rule) => Effect.succeed(rule)
      })
    : Effect.succeed({ set: text })

/** The properties of a rule that have a column of their own. */
const shown = new Set(["id", "name", "match", "matched", "fired"])

/** The effects and the schedule of a rule as JSON. */
const effectOf = (fault: AdminApi.Fault): string =>
  JSON.stringify(Object.fromEntries(Object.entries(fault).filter(([property]) => !shown.has(property))))

const columns = ["id", "name", "match", "rule", "matched", "fired"] as const

const rowOf = (fault: AdminApi.Fault) => ({
  id: fault.id,
  name: fault.name ?? "",
  match: fault.match === undefined ? "all" : JSON.stringify(fault.match),
  rule: effectOf(fault),
  matched: fault.matched,
  fired: fault.fired
})

const show = (faults: ReadonlyArray<AdminApi.Fault>): Effect.Effect<void> => {
  const rows = faults.map(rowOf)
  const layout = Table.layout(rows, { room: Infinity, names: columns })
  return faults.length === 0
    ? Terminal.note("No fault rule is armed.")
    : Terminal.write([Table.header(layout), ...Table.lines(layout, rows)].map((line) => `${line}\n`).join(""))
}

const set = Command.make(
  "set",
  {
    ...ServiceTarget.flags,
    rule: Args.text({ name: "rule" }).pipe(
      Args.withDescription("Name of a set, such as lost-answers, or a rule as JSON.")
    )
  },
  ({ rule, ...target }) =>
    Effect.gen(function* () {
      const request = yield* requestOf(rule)
      const armed = yield* ServiceTarget.run(target, (admin) => admin.createFault(request))
      yield* show("id" in armed ? [armed] : armed)
    })
).pipe(
  Command.withDescription("Arm a fault rule, or all rules of a set. For example: mfg-mock faults set lost-answers")
)

const list = Command.make("list", ServiceTarget.flags, (target) =>
  Effect.flatMap(
    ServiceTarget.run(target, (admin) => admin.listFaults({})),
    show
  )
).pipe(Command.withDescription("List the armed rules with their counts. For example: mfg-mock faults list"))

const clear = Command.make(
  "clear",
  {
    ...ServiceTarget.flags,
    id: Args.text({ name: "id" }).pipe(Args.withDescription("Id of a rule (default: all rules)."), Args.optional)
  },
  ({ id, ...target }) =>
    Effect.gen(function* () {
      const cleared = yield* ServiceTarget.run(target, (admin) =>
        Option.match(id, {
          onNone: () => admin.clearFaults({}),
          onSome: (id) => Effect.map(admin.deleteFault({ id }), (fault) => [fault])
        })
      )
      yield* Terminal.note(`Disarmed ${cleared.length} fault ${cleared.length === 1 ? "rule" : "rules"}.`)
    })
).pipe(Command.withDescription("Disarm a rule, or all rules. For example: mfg-mock faults clear"))

const command = Command.make("faults").pipe(
  Command.withDescription("Fault rules of a running service: lost, late and broken responses and deliveries."),
  Command.withSubcommands([set, list, clear])
)

export const program: Program.Program = Program.make(command)
