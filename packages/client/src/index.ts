/**
 * The client of the manufacturing data service: typed services on `@effect/platform`.
 */
export { Accounts } from "./Accounts.ts"
export type { CallOptions } from "./CallOptions.ts"
export type { CallRequest, CallResponse, WithResponse } from "./CallResponse.ts"
export * as ClientConfig from "./ClientConfig.ts"
export * from "./ClientError.ts"
export * as Cursor from "./Cursor.ts"
export type { InvalidRow, OnInvalid, Page, VersionedRow } from "./ReadOptions.ts"
export * as RetryPolicy from "./RetryPolicy.ts"
export { Rows } from "./Rows.ts"
export * as WebhookReceiver from "./WebhookReceiver.ts"
export * as WebhookSignature from "./WebhookSignature.ts"
