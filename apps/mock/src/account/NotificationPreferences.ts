/**
 * Over which channels a user wants to hear of a topic, in each company apart. Only what was chosen is stored.
 */
import type * as Operation from "@mfgdata/domain/Operation"
import type * as Operations from "@mfgdata/domain/Operations"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as ServiceColumn from "../sql/ServiceColumn.ts"
import { sql } from "../sql/Statement.ts"
import type { Member } from "../world/World.ts"
import type { Tables } from "./AccountTables.ts"

type Upsert = Operation.Request<typeof Operations.account.upsertNotificationPreference>

const fromRow = Schema.decodeUnknownSync(Schema.Tuple(Schema.String, Schema.String, ServiceColumn.Truth))

/** What the member has chosen, by topic and channel. */
export const list = ({ read }: Tables, { companyId, userId }: Member) =>
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

/** Chooses, in place of what was chosen for the same topic and channel. */
export const upsert = (
  { change }: Tables,
  { companyId, userId }: Member,
  { channel, enabled, topic }: Upsert,
  millis: number
) =>
  Effect.as(
    change(sql`INSERT INTO "_notificationPreference"
      ("companyId", "userId", "topic", "channel", "enabled", "updatedAt")
      VALUES (${companyId}, ${userId}, ${topic}, ${channel}, ${ServiceColumn.truth(enabled)}, ${ServiceColumn.long(millis * 1000)})
      ON CONFLICT ("companyId", "userId", "topic", "channel")
      DO UPDATE SET "enabled" = excluded."enabled", "updatedAt" = excluded."updatedAt"`),
    null
  )
