/**
 * The manufacturing data service for programs: typed services on `@effect/platform`.
 */
export * as ClientConfig from "./ClientConfig.ts"
export * as WebhookReceiver from "./WebhookReceiver.ts"
export * as WebhookSignature from "./WebhookSignature.ts"
