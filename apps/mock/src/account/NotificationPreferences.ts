/**
 * Reads and writes notification preferences: the channels of each topic, per user and company. Defaults are not stored.
 */
import type * as Operation from "@mfgdata/domain/Operation"
import type * as Operations from "@mfgdata/domain/Operations"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as ServiceColumn from "../sql/ServiceColumn.ts"
import { sql } from "../sql/Statement.ts"
import type { ServiceTables } from "../store/ServiceTables.ts"
import type { Member } from "../world/World.ts"

type Upsert = Operation.Request<typeof Operations.account.upsertNotificationPreference>

const fromRow = Schema.decodeUnknownSync(Schema.Tuple(Schema.String, Schema.String, ServiceColumn.BooleanFromInteger))

/** The member's preferences, ordered by topic and channel. */
export const list = ({ read }: ServiceTables, { companyId, userId }: Member) =>
  Effect.map(
    read(sql`SELECT "topic", "channel", "enabled" FROM "_notificationPreference"
      WHERE "companyId" = ${companyId} AND "userId" = ${userId} ORDER BY "topic", "channel"`),
    (rows): Operations.NotificationPreferences => ({
      results: rows.map((row) => {
        const [topic, channel, enabled] = fromRow(row)
        return { topic, channel, enabled }
      }),
      count: null
    })
  )

/** Sets the preference for a topic and channel. */
export const upsert = (
  { write }: ServiceTables,
  { companyId, userId }: Member,
  { channel, enabled, topic }: Upsert,
  millis: number
) =>
  Effect.as(
    write(sql`INSERT INTO "_notificationPreference"
      ("companyId", "userId", "topic", "channel", "enabled", "updatedAt")
      VALUES (${companyId}, ${userId}, ${topic}, ${channel}, ${ServiceColumn.boolean(enabled)}, ${ServiceColumn.long(ServiceColumn.micros(millis))})
      ON CONFLICT ("companyId", "userId", "topic", "channel")
      DO UPDATE SET "enabled" = excluded."enabled", "updatedAt" = excluded."updatedAt"`),
    null
  )
