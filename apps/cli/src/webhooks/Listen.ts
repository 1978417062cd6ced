/**
 * `mfg webhooks listen`: receives events of the service on this machine.
 */
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as WebhookEvent from "@mfgdata/domain/WebhookEvent"
import * as Catalogue from "@mfgdata/domain/Catalogue"
import type { Json } from "@mfgdata/domain/Json"
import type { UsageError } from "@mfgdata/domain/UsageError"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Connection from "../service/Connection.ts"
import * as Default from "@mfgdata/shell/Default"
import * as Output from "@mfgdata/shell/output/Output"
import * as Profile from "../service/Profile.ts"
import * as Terminal from "@mfgdata/shell/Terminal"
import * as IntegerFlag from "@mfgdata/shell/IntegerFlag"
import * as Receiver from "./Receiver.ts"
import * as SampleEvent from "./SampleEvent.ts"
import * as TemporaryWebhook from "./TemporaryWebhook.ts"

const parse = (body: string): unknown => {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

/** The facts of a delivery, for a line of the output. */
const factsOf = (delivery: Receiver.Delivery): Output.Row => {
  const { body, failure, millis, reason, status, verdict, webhook } = delivery
  const event = Option.getOrUndefined(Either.getRight(WebhookEvent.decode(parse(body))))
  const resource = event === undefined ? undefined : Catalogue.find(event.table)
  // The key of an unknown table is unknown.
  const record: { readonly [field: string]: unknown } = event?.record ?? {}
  const key = resource === undefined ? undefined : record[resource.key]
  return {
    type: event?.type ?? null,
    table: event?.table ?? webhook.table,
    key: typeof key === "string" ? key : null,
    eventId: event?.eventId ?? null,
    verdict,
    status: status ?? null,
    millis,
    ...(reason === undefined ? {} : { reason }),
    ...(failure === undefined ? {} : { failure })
  }
}

const colours = { INSERT: "green", UPDATE: "yellow", DELETE: "red" } as const

const lineOf = (facts: Output.Row): string => {
  const type = String(facts["type"] ?? "unreadable")
  const painted =
    type === "INSERT" || type === "UPDATE" || type === "DELETE" ? Terminal.styled(colours[type], type.padEnd(6)) : type
  const response = facts["status"] === null ? "" : ` -> ${facts["status"]} in ${facts["millis"]} ms`
  const reason = facts["reason"] ?? facts["failure"]
  return `${painted} ${facts["table"]} ${facts["key"] ?? ""} ${facts["verdict"]}${response}${reason === undefined ? "" : `: ${reason}`}\n`
}

const show = (
  delivery: Receiver.Delivery,
  output: Output.Flags,
  withBody: boolean
): Effect.Effect<void, UsageError> => {
  const facts = factsOf(delivery)
  if (Output.isTable(output)) {
    return Terminal.write(lineOf(facts) + (withBody ? `${delivery.body}\n` : ""))
  }
  // The parser returns JSON.
  const event = parse(delivery.body) as Json
  // A stream of events has no end, so each is an object of its own in a line of its own.
  const isArray = Output.formOf(output)._tag === "json"
  const flags = isArray ? { ...output, format: Option.some("ndjson" as const) } : output
  return Output.one(withBody ? { ...facts, event } : facts, flags)
}

/** The command `listen`. */
export const command = Command.make(
  "listen",
  {
    to: Options.text("forward-to").pipe(
      Options.withPseudoName("url"),
      Options.withDescription(
        "URL to forward each delivery to, with its headers; its response is the response to the service."
      ),
      Options.optional
    ),
    tables: Options.text("table").pipe(
      Options.withDescription("Table of the events; may be repeated (default: all tables but webhook)."),
      Options.repeated
    ),
    events: Options.choice("event", SampleEvent.events).pipe(
      Options.withDescription("Type of the events; may be repeated (default: all types)."),
      Options.repeated
    ),
    host: Options.text("host").pipe(Options.withDescription("Address to listen on."), Default.of("127.0.0.1")),
    port: IntegerFlag.option("port", {
      description: "Port to listen on; 0 selects a free port.",
      most: 65_535,
      example: 4020
    }).pipe(Default.of(0)),
    publicUrl: Options.text("public-url").pipe(
      Options.withPseudoName("url"),
      Options.withDescription("URL of this machine for the service (default: the address it listens on)."),
      Options.optional
    ),
    showSecrets: Options.boolean("show-secrets").pipe(
      Options.withDescription("Signing secrets on standard error, for a receiver that verifies forwarded deliveries.")
    ),
    skipVerify: Options.boolean("skip-verify").pipe(
      Options.withDescription("Deliveries without verification; needs no administrator's key.")
    ),
    body: Options.boolean("body").pipe(Options.withDescription("Bodies of the events too.")),
    output: Output.options,
    profile: Connection.profile
  },
  ({ body, events, host, output, port, profile, publicUrl, showSecrets, skipVerify, tables, to }) =>
    Effect.gen(function* () {
      const forwardTo = Option.isNone(to) ? undefined : yield* Profile.address("--forward-to", to.value)
      const publicAddress = Option.isNone(publicUrl)
        ? undefined
        : yield* Profile.address("--public-url", publicUrl.value)
      yield* Connection.use(profile, (connection) =>
        Effect.scoped(
          Effect.gen(function* () {
            const receiver = yield* Receiver.make({
              host,
              port,
              forwardTo,
              // An expression that fails for one event does not end the others.
              onDelivery: (delivery) =>
                Effect.runPromise(
                  Effect.catchAll(show(delivery, output, body), ({ message }) => Terminal.note(message))
                )
            })
            const webhooks = yield* TemporaryWebhook.make(connection, {
              tables,
              events: new Set(events.length === 0 ? SampleEvent.events : events),
              address: publicAddress ?? receiver.address,
              isVerified: !skipVerify,
              purpose: "mfg webhooks listen"
            })
            receiver.expect(webhooks)
            if (showSecrets) {
              for (const { secret, table } of webhooks) {
                if (secret !== undefined) yield* Terminal.note(`${table}: ${Redacted.value(secret)}`)
              }
            }
            const forward = forwardTo === undefined ? "" : `, forwarding to ${forwardTo}`
            const subject =
              webhooks.length === 1 ? `events of ${webhooks[0]?.table}` : `events of ${webhooks.length} tables`
            yield* Terminal.note(`Listening at ${receiver.address} for ${subject}${forward}. Press Control-C to stop.`)
            return yield* Effect.never
          })
        )
      )
    })
).pipe(Command.withDescription("Receive events on this machine, by webhooks that are removed at the end."))
