/** The suite of every store. */
import { describe, layer } from "@effect/vitest"
import * as Aggregates from "./Aggregates.ts"
import * as Arrays from "./Arrays.ts"
import * as Bounds from "./Bounds.ts"
import * as Bulk from "./Bulk.ts"
import * as InvalidRequests from "./InvalidRequests.ts"
import * as Codes from "./Codes.ts"
import * as Companies from "./Companies.ts"
import * as Counts from "./Counts.ts"
import * as Csv from "./Csv.ts"
import * as EmbedLimits from "./EmbedLimits.ts"
import * as Embeds from "./Embeds.ts"
import * as FullText from "./FullText.ts"
import * as Idempotency from "./Idempotency.ts"
import * as Keys from "./Keys.ts"
import * as Leniency from "./Leniency.ts"
import * as LongText from "./LongText.ts"
import * as Operations from "./Operations.ts"
import * as Preconditions from "./Preconditions.ts"
import * as Preferences from "./Preferences.ts"
import * as Quotas from "./Quotas.ts"
import * as References from "./References.ts"
import * as Refusals from "./Refusals.ts"
import * as Retention from "./Retention.ts"
import * as Rights from "./Rights.ts"
import * as RoundTrips from "./RoundTrips.ts"
import * as Secrets from "./Secrets.ts"
import * as Service from "./Service.ts"
import * as Timestamps from "./Timestamps.ts"
import * as Upserts from "./Upserts.ts"
import * as Verbs from "./Verbs.ts"
import * as WebhookFairness from "./WebhookFairness.ts"
import * as WebhookFailures from "./WebhookFailures.ts"
import * as WholeRows from "./WholeRows.ts"
import * as Webhooks from "./Webhooks.ts"

/** Registers the suite for a kind of store. */
export const suite = (name: string, fresh: Service.Fresh): void => {
  describe(`the service ${name}`, () => {
    layer(Service.layer(fresh))("verbs", Verbs.suite)
    layer(Service.layer(fresh))("round trips", RoundTrips.suite)
    layer(Service.layer(fresh))("timestamps", Timestamps.suite)
    layer(Service.layer(fresh, { rules: "public" }))("timestamps under the public rules", Timestamps.suite)
    layer(Service.layer(fresh))("complete rows", WholeRows.suite)
    layer(Service.layer(fresh))("equivalent requests", Leniency.suite)
    layer(Service.layer(fresh, { aggregates: "on" }))("arrays", Arrays.suite)
    layer(Service.layer(fresh, { rules: "public" }))("arrays under the public rules", Arrays.publicSuite)
    layer(Service.layer(fresh))("embeds", Embeds.suite)
    layer(Service.layer(fresh))("limits of embeds", EmbedLimits.suite)
    layer(Service.layer(fresh))("many rows", Bulk.suite)
    layer(Service.layer(fresh))("preconditions", Preconditions.suite)
    layer(Service.layer(fresh))("invalid values", Refusals.suite)
    layer(Service.layer(fresh))("idempotency", Idempotency.suite)
    layer(Service.layer(fresh))("upserts", Upserts.suite)
    layer(Service.layer(fresh, { aggregates: "on" }))("aggregates", Aggregates.suite)
    layer(Service.layer(fresh))("counts", Counts.suite)
    layer(Service.layer(fresh))("codes", Codes.suite)
    layer(Service.layer(fresh))("full text", FullText.suite)
    layer(Service.layer(fresh))("preferences", Preferences.suite)
    layer(Service.layer(fresh))("comma-separated values", Csv.suite)
    layer(Service.layer(fresh))("invalid requests", InvalidRequests.suite)
    layer(Service.layer(fresh))("operations", Operations.suite)
    layer(Service.layer(fresh))("keys", Keys.suite)
    layer(Service.layer(fresh, { adminKey: "mfg_suite_administrator" }))("rights", Rights.suite)
    layer(Service.layer(fresh, { secretKey: Secrets.secretKey, aggregates: "on" }))("secrets", Secrets.suite)
    layer(Service.layer(fresh))("webhooks", Webhooks.suite)
    layer(Service.layer(fresh))("failing webhooks", WebhookFailures.suite)
    layer(Service.layer(fresh))("fair webhooks", WebhookFairness.suite)
    layer(Service.layer(fresh))("retention", Retention.suite)
    layer(Service.layer(fresh))("retention metrics", Retention.metrics)
    layer(Service.layer(fresh, { privateNetworks: undefined }))("private networks", WebhookFailures.networks)
    layer(Service.layer(fresh, { quota: Quotas.quota, adminKey: Quotas.adminKey }))("quotas", Quotas.suite)
    layer(Service.layer(fresh, Quotas.rateLimits))("rates", Quotas.rates)
    layer(Service.layer(fresh))("companies", Companies.suite)
    layer(Service.layer(fresh))("references", References.suite)
    layer(Service.layer(fresh))("bounds", Bounds.suite)
    layer(Service.layer(fresh, { maxAnswer: Bounds.maxAnswer }))("bounds of an answer", Bounds.smallSuite)
    layer(Service.layer(fresh))("long texts", LongText.suite)
    layer(Service.layer(fresh, { rules: "public" }))("the public rules", (it) => {
      Companies.publicSuite(it)
      LongText.publicSuite(it)
      References.publicSuite(it)
      Upserts.publicSuite(it)
      Webhooks.publicSuite(it)
    })
  })
}
