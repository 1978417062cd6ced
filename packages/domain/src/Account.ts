/**
 * The schemas of a user of the service: account, own profile, and notification preferences.
 */
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { UserId } from "./Ids.ts"
import * as Json from "./Json.ts"
import * as StructClass from "./StructClass.ts"
import * as Text from "./Text.ts"
import * as Vocabulary from "./Vocabulary.ts"

/** The channel of a notification. A write accepts only `NotificationChannel.Known`; a read accepts newer channels too. */
export const NotificationChannel = Vocabulary.make("notificationChannel", ["email", "slack"])
export type NotificationChannel = typeof NotificationChannel.Type

/** The topic of a notification: a known topic, or any other text. */
export const NotificationTopic = Vocabulary.make("notificationTopic", [
  "approval",
  "job",
  "sales",
  "quote",
  "purchasing",
  "inventory",
  "items",
  "quality",
  "maintenance",
  "training",
  "suggestion",
  "general",
  "changelog"
])
export type NotificationTopic = typeof NotificationTopic.Type

/** The setting of notifications on a topic over a channel. */
export class NotificationPreference extends StructClass.make("NotificationPreference", {
  topic: NotificationTopic,
  channel: NotificationChannel,
  enabled: Schema.Boolean
}) {}

/** The account of a user. The contract types its two times as text, so they need not be timestamps. */
export class Account extends StructClass.make("Account", {
  about: Text.Text,
  acknowledgedITAR: Schema.Boolean,
  active: Schema.NullOr(Schema.Boolean),
  admin: Schema.NullOr(Schema.Boolean),
  avatarUrl: Schema.NullOr(Text.Text),
  createdAt: Text.Text,
  developer: Schema.NullOr(Schema.Boolean),
  email: Text.Text,
  firstName: Text.Text,
  flags: Json.Json,
  fullName: Schema.NullOr(Text.Text),
  id: UserId,
  isConsoleOperator: Schema.Boolean,
  lastName: Text.Text,
  phone: Schema.NullOr(Text.Text),
  updatedAt: Schema.NullOr(Text.Text)
}) {}

/** The profile of the user that owns the API key. */
export class CurrentUser extends StructClass.make(
  "CurrentUser",
  Struct.pick(Account.fields, "id", "email", "firstName", "lastName", "fullName", "avatarUrl")
) {}
