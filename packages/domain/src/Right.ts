/**
 * The rights of API keys: each thing that a request can do, and the scopes that it requires. As in PostgreSQL, a request
 * that compares columns reads them.
 */
import type * as Arr from "effect/Array"
import * as Operations from "./Operations.ts"
import type * as Scope from "./Scope.ts"

/** One thing that a request can do with rows. */
interface Declaration {
  readonly summary: string
  /** The required actions on the rows of `of`. */
  readonly actions: ReadonlyArray<Scope.Action>
  readonly of: "resource" | "embedded" | "webhook.table"
}

/** The rights on rows, by use. A request has one of the first six uses, and any of the others. */
export const rows = {
  read: { summary: "GET and HEAD", actions: ["read"], of: "resource" },
  create: { summary: "POST", actions: ["create"], of: "resource" },
  merge: {
    summary: "PUT, and POST with resolution=merge-duplicates",
    actions: ["create", "update", "read"],
    of: "resource"
  },
  ignore: { summary: "POST with resolution=ignore-duplicates", actions: ["create", "read"], of: "resource" },
  update: { summary: "PATCH", actions: ["update"], of: "resource" },
  delete: { summary: "DELETE", actions: ["delete"], of: "resource" },
  returned: {
    summary: "rows in the response to a write (without return=minimal or headers-only)",
    actions: ["read"],
    of: "resource"
  },
  filtered: {
    summary: "PATCH or DELETE with another filter than <key>=eq.<value>, with order, limit or offset",
    actions: ["read"],
    of: "resource"
  },
  conditional: { summary: "If-Match and If-None-Match", actions: ["read"], of: "resource" },
  counted: { summary: "Prefer: count", actions: ["read"], of: "resource" },
  compared: { summary: "PATCH with a value for a column that the service sets", actions: ["read"], of: "resource" },
  embedded: { summary: "an embedded resource in select", actions: ["read"], of: "embedded" },
  subscribed: {
    summary: "creating a webhook, or changing its table or url",
    actions: ["read"],
    of: "webhook.table"
  }
} as const satisfies { readonly [use: string]: Declaration }

export type Use = keyof typeof rows

/** A line of the table of rights. */
export interface Line {
  readonly scopes: string
  readonly summary: string
}

const place = { resource: "<resource>", embedded: "<embedded>", "webhook.table": "<webhook.table>" }

const rowLines: ReadonlyArray<Line> = Object.values<Declaration>(rows).map(({ actions, of, summary }) => ({
  scopes: actions.map((action) => `${place[of]}:${action}`).join(", "),
  summary
}))

const operationsOf = (scope: Scope.AccountScope | undefined): string =>
  Operations.all
    .filter((operation) => operation.scope === scope)
    .map(({ id }) => id)
    .join(", ")

/** The table of rights as lines: uses of rows, operations, and the administrator's interface. */
export const lines: Arr.NonEmptyReadonlyArray<Line> = [
  { scopes: "*", summary: "everything below; <resource>:*, *:read and *:* mean any action, any resource, or both" },
  ...rowLines,
  { scopes: "account:read", summary: operationsOf("account:read") },
  { scopes: "account:write", summary: operationsOf("account:write") },
  { scopes: "webhook:update", summary: "POST /webhooks/<id>/secret" },
  { scopes: "any key", summary: operationsOf(undefined) },
  { scopes: "no API key", summary: "/_mock, which requires the administrator's key" }
]

const code = (text: string): string => text.replaceAll(/[^\s,]*[:<*=/][^\s,]*(?<!:)(?=[\s,]|$)/g, "`$&`")

/** The table of rights in Markdown. */
export const markdown: string = [
  "| Scopes | Allow |",
  "| --- | --- |",
  ...lines.map(({ scopes, summary }) => `| ${code(scopes)} | ${code(summary)} |`)
].join("\n")
