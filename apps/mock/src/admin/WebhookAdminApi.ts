/**
 * What an administrator can ask about webhooks, their deliveries and the clock.
 */
import * as Text from "@mfgdata/domain/Text"
import * as Timestamp from "@mfgdata/domain/Timestamp"
import * as Schema from "effect/Schema"
import * as DeliverySchemas from "../webhooks/DeliverySchemas.ts"
import type { Operation } from "./AdminOperation.ts"

const exact = { exact: true } as const
const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, exact)

/** Whose webhook it is; the first company's where it is left out. */
const hook = { id: Schema.String, companyId: optional(Text.NonEmpty) }

/** A secret, which is shown this once. */
const Secret = Schema.Struct({ secret: Schema.String })

const filter = {
  companyId: optional(Text.NonEmpty),
  webhookId: optional(Text.NonEmpty),
  table: optional(Text.NonEmpty),
  key: optional(Text.NonEmpty),
  eventId: optional(Text.NonEmpty),
  state: optional(DeliverySchemas.State)
}

const Redelivered = Schema.Struct({ count: Schema.Int })

/** The clock that the service goes by. */
const Clock = Schema.Struct({
  kind: Schema.Literal("system", "virtual"),
  now: Timestamp.Timestamp,
  frozen: Schema.Boolean
})

/** A hundred years, which no schedule reaches. */
const Seconds = Schema.Number.pipe(Schema.between(0, 3_155_760_000))

export const operations = {
  showWebhookSecret: {
    method: "POST",
    path: "/webhooks/:id/secret",
    status: 200,
    request: Schema.Struct(hook),
    response: Secret
  },
  rollWebhookSecret: {
    method: "POST",
    path: "/webhooks/:id/secret/roll",
    status: 201,
    request: Schema.Struct({
      ...hook,
      /** For how long the old secret signs beside the new one; a day where it is left out. */
      overlapSeconds: Schema.optionalWith(Schema.Int.pipe(Schema.between(0, 31_536_000)), {
        ...exact,
        default: () => 86_400
      })
    }),
    response: Secret
  },
  listDeliveries: {
    method: "GET",
    path: "/deliveries",
    status: 200,
    request: Schema.Struct({
      ...filter,
      since: optional(Timestamp.Timestamp),
      limit: Schema.optionalWith(Schema.NumberFromString.pipe(Schema.int(), Schema.between(1, 1000)), {
        ...exact,
        default: () => 100
      }),
      /** The id of the last one that is known: what follows is older. */
      after: optional(Schema.String.pipe(Schema.pattern(/^\d{1,15}$/)))
    }),
    response: Schema.Array(DeliverySchemas.Delivery)
  },
  getDelivery: {
    method: "GET",
    path: "/deliveries/:id",
    status: 200,
    request: Schema.Struct({ id: Schema.String }),
    response: DeliverySchemas.Detail
  },
  redeliver: {
    method: "POST",
    path: "/deliveries/:id/redeliver",
    status: 200,
    request: Schema.Struct({ id: Schema.String }),
    response: Redelivered
  },
  redeliverAll: {
    method: "POST",
    path: "/deliveries/redeliver",
    status: 200,
    request: Schema.Struct({ ...filter, since: Timestamp.Timestamp }),
    response: Redelivered
  },
  readClock: { method: "GET", path: "/clock", status: 200, request: Schema.Struct({}), response: Clock },
  freezeClock: { method: "POST", path: "/clock/freeze", status: 200, request: Schema.Struct({}), response: Clock },
  resumeClock: { method: "POST", path: "/clock/resume", status: 200, request: Schema.Struct({}), response: Clock },
  setClock: {
    method: "POST",
    path: "/clock/set",
    status: 200,
    request: Schema.Struct({ to: Timestamp.Timestamp }),
    response: Clock
  },
  advanceClock: {
    method: "POST",
    path: "/clock/advance",
    status: 200,
    request: Schema.Struct({ seconds: Seconds }),
    response: Clock
  }
} satisfies { readonly [name: string]: Operation }
