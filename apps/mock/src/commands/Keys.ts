/**
 * `mfg-mock keys`: API keys of a store, whether or not a service has it.
 */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Scope from "@mfgdata/domain/Scope"
import * as Timestamp from "@mfgdata/domain/Timestamp"
import { CompanyId, UserId } from "@mfgdata/domain/Ids"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { ApiKey } from "../access/ApiKey.ts"
import type * as AdminApi from "../admin/AdminApi.ts"
import * as Flags from "./Flags.ts"
import * as AdminTarget from "./AdminTarget.ts"

const flags = Flags.options(AdminTarget.settings.filter((name) => name !== "rules"))
const id = Args.text({ name: "id" }).pipe(Args.withDescription("The key's id, as the list shows it."))

const ask = <A>(
  parsed: Parameters<typeof Flags.resolve>[1],
  work: <E>(control: AdminApi.Control<E>) => Effect.Effect<A, E>
) => Effect.flatMap(Flags.resolve(AdminTarget.settings, parsed), (known) => AdminTarget.ask(known, work))

/** The key alone on standard output, so that a script can take it. */
const show = ({ id, key }: AdminApi.Response<"createKey">) =>
  Effect.zipRight(Console.error(`The key ${id} is shown this once:`), Console.log(key))

const facts = [
  ["id", ({ id }) => id],
  ["name", ({ name }) => name],
  ["key", ({ preview }) => preview],
  ["company", ({ companyId }) => companyId],
  ["user", ({ userId }) => userId],
  ["scopes", ({ scopes }) => scopes.join(",")],
  ["created", ({ createdAt }) => createdAt],
  ["expires", ({ expiresAt }) => expiresAt ?? "never"],
  ["last used", ({ lastUsedAt }) => lastUsedAt ?? "never"],
  ["revoked", ({ revokedAt }) => revokedAt ?? ""]
] as const satisfies ReadonlyArray<readonly [string, (key: ApiKey) => string]>

const table = (keys: ReadonlyArray<ApiKey>): string => {
  const lines = [facts.map(([name]) => name as string), ...keys.map((key) => facts.map(([, of]) => of(key)))]
  const widths = facts.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd()
    )
    .join("\n")
}

const moment = Flags.read("expires", { takes: "a timestamp", example: "2027-01-31T00:00:00Z" }, Timestamp.Timestamp)

const create = Command.make(
  "create",
  {
    flags,
    name: Options.text("name").pipe(
      Options.withDescription("What the key is for."),
      Options.withDefault("command line")
    ),
    scopes: Options.text("scope").pipe(
      Options.withDescription("What the key may do, such as holiday:read; may be repeated. Everything when left out."),
      Options.repeated
    ),
    expires: Options.text("expires").pipe(
      Options.withPseudoName("timestamp"),
      Options.withDescription("When the key ends, such as 2027-01-31T00:00:00Z. Never when left out."),
      Options.optional
    ),
    companyId: Options.text("company").pipe(
      Options.withSchema(CompanyId),
      Options.withDescription("Whose rows the key is for. The first company when left out."),
      Options.optional
    ),
    userId: Options.text("user").pipe(
      Options.withSchema(UserId),
      Options.withDescription("Who calls by the key. The first user when left out."),
      Options.optional
    )
  },
  ({ companyId, expires, flags, name, scopes: given, userId }) =>
    Effect.gen(function* () {
      const scopes = yield* Effect.forEach(given, Scope.check)
      const expiresAt = Option.isSome(expires) ? yield* moment(expires.value) : null
      const issued = yield* ask(flags, (control) =>
        control.createKey({
          name,
          scopes: scopes.length === 0 ? ["*"] : scopes,
          expiresAt,
          ...(Option.isSome(companyId) ? { companyId: companyId.value } : {}),
          ...(Option.isSome(userId) ? { userId: userId.value } : {})
        })
      )
      yield* show(issued)
    })
).pipe(
  Command.withDescription(
    "Makes a key and shows it once. For example: mfg-mock keys create --name reports --scope holiday:read"
  )
)

const list = Command.make("list", { flags }, ({ flags }) =>
  Effect.flatMap(
    ask(flags, (control) => control.listKeys({})),
    (keys) => Console.log(table(keys))
  )
).pipe(
  Command.withDescription(
    "Lists all keys, the newest first; never the keys themselves. For example: mfg-mock keys list"
  )
)

const revoke = Command.make("revoke", { flags, id }, ({ flags, id }) =>
  Effect.flatMap(
    ask(flags, (control) => control.revokeKey({ id })),
    ({ name }) => Console.error(`The key ${id} (${name}) is revoked.`)
  )
).pipe(Command.withDescription("Ends a key at once. For example: mfg-mock keys revoke <id>"))

const roll = Command.make(
  "roll",
  {
    flags,
    id,
    overlap: Options.text("overlap").pipe(
      Options.withPseudoName("seconds"),
      Options.withDescription("For how long the old key is good beside the new one. 0 when left out."),
      Options.withDefault("0")
    )
  },
  ({ flags, id, overlap }) =>
    Effect.gen(function* () {
      const overlapSeconds = yield* Flags.overlap(overlap)
      yield* show(yield* ask(flags, (control) => control.rollKey({ id, overlapSeconds })))
    })
).pipe(
  Command.withDescription("Makes a key like another, which ends. For example: mfg-mock keys roll <id> --overlap 3600")
)

export const command = Command.make("keys").pipe(
  Command.withDescription("API keys of a store, whether or not a service has it."),
  Command.withSubcommands([create, list, revoke, roll])
)
