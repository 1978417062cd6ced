/**
 * `mfg webhooks listen`: events of the service, on this machine.
 */
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as WebhookEvent from "@mfgdata/domain/WebhookEvent"
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Connection from "../Connection.ts"
import * as Output from "../Output.ts"
import * as Profile from "../Profile.ts"
import * as Screen from "../Screen.ts"
import * as Whole from "../Whole.ts"
import * as Receiver from "./Receiver.ts"
import * as Sample from "./Sample.ts"
import * as Temporary from "./Temporary.ts"

const parse = (body: string): unknown => {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

/** What a line says of a delivery. */
const factsOf = (received: Receiver.Received): Output.Row => {
  const { body, failure, hook, millis, reason, status, verdict } = received
  const event = Option.getOrUndefined(Either.getRight(WebhookEvent.decode(parse(body))))
  const resource = event === undefined ? undefined : Catalogue.find(event.table)
  // A row of a table that is not known here has no key that could be named.
  const record: { readonly [field: string]: unknown } = event?.record ?? {}
  const key = resource === undefined ? undefined : record[resource.key]
  return {
    type: event?.type ?? null,
    table: event?.table ?? hook.table,
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
    type === "INSERT" || type === "UPDATE" || type === "DELETE" ? Screen.styled(colours[type], type.padEnd(6)) : type
  const answer = facts["status"] === null ? "" : ` -> ${facts["status"]} in ${facts["millis"]} ms`
  const reason = facts["reason"] ?? facts["failure"]
  return `${painted} ${facts["table"]} ${facts["key"] ?? ""} ${facts["verdict"]}${answer}${reason === undefined ? "" : `: ${reason}`}\n`
}

const show = (received: Receiver.Received, asked: Output.Asked, isWhole: boolean): Effect.Effect<void> => {
  const facts = factsOf(received)
  if (Output.formatOf(asked) === "table") {
    return Screen.write(lineOf(facts) + (isWhole ? `${received.body}\n` : ""))
  }
  const event = parse(received.body)
  return Screen.write(`${JSON.stringify(isWhole ? { ...facts, event } : facts)}\n`)
}

/** The command. */
export const command = Command.make(
  "listen",
  {
    to: Options.text("forward-to").pipe(
      Options.withPseudoName("url"),
      Options.withDescription("Where to hand each delivery on, with its own headers; its answer is the service's."),
      Options.optional
    ),
    tables: Options.text("table").pipe(
      Options.withDescription("Only events of this table; may be repeated. All but webhook when left out."),
      Options.repeated
    ),
    events: Options.choice("event", Sample.events).pipe(
      Options.withDescription("Only such events; may be repeated. All when left out."),
      Options.repeated
    ),
    host: Options.text("host").pipe(Options.withDescription("Where to listen."), Options.withDefault("127.0.0.1")),
    port: Whole.option("port", { description: "A free one when left out.", most: 65_535, example: 4020 }).pipe(
      Options.withDefault(0)
    ),
    publicUrl: Options.text("public-url").pipe(
      Options.withPseudoName("url"),
      Options.withDescription("Where the service reaches this machine, if not at the address it listens on."),
      Options.optional
    ),
    showSecrets: Options.boolean("show-secrets").pipe(
      Options.withDescription("Say by which secrets deliveries are signed, for who verifies them behind --forward-to.")
    ),
    skipVerify: Options.boolean("skip-verify").pipe(
      Options.withDescription("Believe every delivery; needs no administrator's key.")
    ),
    body: Options.boolean("body").pipe(Options.withDescription("Show the events themselves too.")),
    output: Output.options,
    profile: Connection.profile
  },
  ({ body, events, host, output, port, profile, publicUrl, showSecrets, skipVerify, tables, to }) =>
    Effect.gen(function* () {
      const target = Option.isNone(to) ? undefined : yield* Profile.address("--forward-to", to.value)
      const reached = Option.isNone(publicUrl) ? undefined : yield* Profile.address("--public-url", publicUrl.value)
      yield* Connection.use(profile, (connection) =>
        Effect.scoped(
          Effect.gen(function* () {
            const receiver = yield* Receiver.make({
              host,
              port,
              to: target,
              tell: (received) => Effect.runPromise(show(received, output, body))
            })
            const hooks = yield* Temporary.make(connection, {
              tables,
              events: new Set(events.length === 0 ? Sample.events : events),
              address: reached ?? receiver.address,
              isVerified: !skipVerify
            })
            receiver.expect(hooks)
            if (showSecrets) {
              for (const { secret, table } of hooks) {
                if (secret !== undefined) yield* Screen.note(`${table}: ${Redacted.value(secret)}`)
              }
            }
            const where = target === undefined ? "" : `, handed on to ${target}`
            const subject = hooks.length === 1 ? `events of ${hooks[0]?.table}` : `events of ${hooks.length} tables`
            yield* Screen.note(`Listening at ${receiver.address} for ${subject}${where}. Control-C ends it.`)
            return yield* Effect.never
          })
        )
      )
    })
).pipe(Command.withDescription("Receive events on this machine by webhooks that last as long as this runs."))
