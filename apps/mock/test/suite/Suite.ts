/** The suite of every store. */
import { describe, layer } from "@effect/vitest"
import type * as Layer from "effect/Layer"
import * as Administration from "./Administration.ts"
import * as Aggregates from "./Aggregates.ts"
import * as Arrays from "./Arrays.ts"
import * as Bounds from "./Bounds.ts"
import * as Bulk from "./Bulk.ts"
import * as InvalidRequests from "./InvalidRequests.ts"
import * as Changes from "./Changes.ts"
import * as Codes from "./Codes.ts"
import * as Companies from "./Companies.ts"
import * as Counts from "./Counts.ts"
import * as Csv from "./Csv.ts"
import * as EmbedLimits from "./EmbedLimits.ts"
import * as Embeds from "./Embeds.ts"
import * as Facts from "./Facts.ts"
import * as FullText from "./FullText.ts"
import * as History from "./History.ts"
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
import * as UpsertRaces from "./UpsertRaces.ts"
import * as Upserts from "./Upserts.ts"
import * as Verbs from "./Verbs.ts"
import * as WebhookFairness from "./WebhookFairness.ts"
import * as WebhookFailures from "./WebhookFailures.ts"
import * as WebhookLimits from "./WebhookLimits.ts"
import * as WholeRows from "./WholeRows.ts"
import * as Webhooks from "./Webhooks.ts"

/** Registers the parts that any service passes, which `service` starts with the settings of a part. */
const core = (service: (options?: Service.Options) => Layer.Layer<Service.Service>): void => {
  layer(service())("verbs", Verbs.suite)
  layer(service(Administration.options))("reads as of a time", History.suite)
  layer(service(Administration.options))("history of changes", Changes.suite)
  layer(service())("round trips", RoundTrips.suite)
  layer(service())("timestamps", Timestamps.suite)
  layer(service({ rules: "public" }))("timestamps under the public rules", Timestamps.suite)
  layer(service())("complete rows", WholeRows.suite)
  layer(service())("equivalent requests", Leniency.suite)
  layer(service({ aggregates: "on" }))("arrays", Arrays.suite)
  layer(service({ rules: "public" }))("arrays under the public rules", Arrays.publicSuite)
  layer(service())("embeds", Embeds.suite)
  layer(service())("limits of embeds", EmbedLimits.suite)
  layer(service())("many rows", Bulk.suite)
  layer(service())("preconditions", Preconditions.suite)
  layer(service())("invalid values", Refusals.suite)
  layer(service())("idempotency", Idempotency.suite)
  layer(service())("upserts", Upserts.suite)
  layer(service({ history: "on" }))("races of upserts", UpsertRaces.suite)
  layer(service({ aggregates: "on" }))("aggregates", Aggregates.suite)
  layer(service())("counts", Counts.suite)
  layer(service())("codes", Codes.suite)
  layer(service())("full text", FullText.suite)
  layer(service())("preferences", Preferences.suite)
  layer(service())("comma-separated values", Csv.suite)
  layer(service())("invalid requests", InvalidRequests.suite)
  layer(service())("operations", Operations.suite)
  layer(service())("keys", Keys.suite)
  layer(service({ adminKey: "mfg_suite_administrator" }))("rights", Rights.suite)
  layer(service({ secretKey: Secrets.secretKey, aggregates: "on" }))("secrets", Secrets.suite)
  layer(service())("webhooks", Webhooks.suite)
  layer(service())("failing webhooks", WebhookFailures.suite)
  layer(service())("fair webhooks", WebhookFairness.suite)
  layer(service(WebhookLimits.options))("limits of webhooks", WebhookLimits.suite)
  layer(service())("retention", Retention.suite)
  layer(service())("retention metrics", Retention.metrics)
  layer(service({ privateNetworks: undefined }))("private networks", WebhookFailures.networks)
  layer(service({ quota: Quotas.quota, adminKey: Quotas.adminKey }))("quotas", Quotas.suite)
  layer(service(Quotas.rateLimits))("rates", Quotas.rates)
  layer(service())("companies", Companies.suite)
  layer(service())("references", References.suite)
  layer(service())("bounds", Bounds.suite)
  layer(service({ maxAnswer: Bounds.maxAnswer, aggregates: "on" }))("bounds of an answer", Bounds.smallSuite)
  layer(service())("long texts", LongText.suite)
  layer(service({ rules: "public" }))("the public rules", (it) => {
    Companies.publicSuite(it)
    LongText.publicSuite(it)
    References.publicSuite(it)
    Upserts.publicSuite(it)
    WebhookLimits.publicSuite(it)
    Webhooks.publicSuite(it)
  })
  layer(service({ facts: Facts.neutral, secretKey: Secrets.secretKey, aggregates: "on" }))(
    "the same with facts that change nothing",
    (it) => {
      Embeds.suite(it)
      Secrets.suite(it)
      Webhooks.suite(it)
    }
  )
}

/** Registers the suite for a kind of store. */
export const suite = (name: string, fresh: Service.Fresh): void => {
  describe(`the service ${name}`, () => {
    core((options) => Service.layer(fresh, options))
    layer(Service.layer(fresh, Administration.options))("restored history", Changes.ownerSuite)
    Facts.suite(fresh)
  })
}
