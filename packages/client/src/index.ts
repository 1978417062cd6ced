/**
 * The manufacturing data service for programs: typed services on `@effect/platform`.
 */
export * as ClientConfig from "./ClientConfig.ts"
