/**
 * Runs writes that the service checks and takes back: requests with `Prefer: tx=rollback`.
 */
import * as Options from "@effect/cli/Options"
import type { Unreachable } from "@mfgdata/client/ClientError"
import * as Rows from "@mfgdata/client/Rows"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Effect from "effect/Effect"
import { DryRunUnsupported } from "../CliError.ts"
import * as Terminal from "@mfgdata/shell/Terminal"
import type { Connection } from "./Connection.ts"
import * as OperationReply from "./OperationReply.ts"

/** The flag of commands that write one row. */
export const option: Options.Options<boolean> = Options.boolean("dry-run").pipe(
  Options.withDescription("Trial run: the service checks the change and takes it back.")
)

const preference = "tx=rollback"

/** A write with a dry run. */
export type Write = "create" | "update" | "delete"

/** The same write of no row: an empty list has none, and no key is in one. */
const probes = {
  create: { method: "POST", query: () => "", body: "[]" },
  update: { method: "PATCH", query: (key: string) => `?${key}=in.()`, body: "{}" },
  delete: { method: "DELETE", query: (key: string) => `?${key}=in.()`, body: undefined }
} as const

/**
 * Runs a write as a dry run. A service may ignore the preference, and would write: so a request that writes nothing
 * asks first.
 */
export const run = <A, E, R>(
  { call, profile }: Connection,
  resource: Resource.Any,
  write: Write,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E | DryRunUnsupported | OperationReply.ReplyError | Unreachable, R> =>
  Effect.gen(function* () {
    const { body, method, query } = probes[write]
    const url = `${profile.restUrl}/${resource.resource}${query(resource.key)}`
    const headers = { prefer: `${preference},return=minimal`, "content-type": "application/json" }
    const reply = yield* call({ method, url, headers, body })
    yield* OperationReply.check(`The dry run of ${method} /${resource.resource}`, url, reply)
    const applied = (reply.headers["preference-applied"] ?? "").split(",").map((text) => text.trim())
    if (!applied.includes(preference)) return yield* new DryRunUnsupported({ origin: new URL(url).origin })
    const result = yield* Rows.Rows.withOptions(effect, { headers: { prefer: preference } })
    yield* Terminal.note(Terminal.styledError("dim", "(Dry run: nothing was written.)"))
    return result
  })
