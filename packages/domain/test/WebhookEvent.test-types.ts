import * as Timestamp from "../src/Timestamp.ts"
import type { CompanyId } from "../src/Ids.ts"
import { Holiday } from "../src/resources/Holiday.ts"
import type { OauthClient } from "../src/resources/OauthClient.ts"
import type { OauthCode } from "../src/resources/OauthCode.ts"
import * as WebhookEvent from "../src/WebhookEvent.ts"

type Equals<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
declare const expect: <_ extends true>() => void

declare const event: WebhookEvent.WebhookEvent
declare const companyId: CompanyId
declare const holiday: Holiday

// rows are those of the resource, but for what is withheld
expect<Equals<WebhookEvent.Row<typeof Holiday>, Holiday>>()
expect<Equals<OauthCode["code"], string>>()
expect<Equals<WebhookEvent.Row<typeof OauthCode>["code"], string | null>>()
expect<Equals<Omit<WebhookEvent.Row<typeof OauthCode>, "code">, Omit<OauthCode, "code">>>()
expect<Equals<WebhookEvent.Row<typeof OauthClient>["clientSecret"], OauthClient["clientSecret"]>>()

// events narrow by tag, table and type
if (event._tag === "Unserved") {
  expect<Equals<typeof event.table, string>>()
} else if (event.table === "holiday") {
  expect<Equals<typeof event.record, Holiday>>()
  expect<Equals<typeof event.resource, typeof Holiday>>()
  if (event.type === "UPDATE") expect<Equals<typeof event.old, Holiday>>()
  // @ts-expect-error -- only an update has a row before
  else void event.old
}

// and by resource
if (WebhookEvent.isOf(Holiday)(event)) {
  expect<Equals<typeof event.record, Holiday>>()
  expect<Equals<typeof event.table, "holiday">>()
}

// a service writes bodies of any table
export const body: WebhookEvent.Body = {
  type: "UPDATE",
  table: "holiday",
  companyId,
  eventId: "e1",
  timestamp: Timestamp.fromMicros(0n),
  record: { ...holiday },
  old: { ...holiday }
}

// @ts-expect-error -- an update has a row before
export const without: WebhookEvent.Body = { ...body, old: undefined }
