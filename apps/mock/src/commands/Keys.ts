/**
 * `mfg-mock keys`: the API keys of a store, with or without a running service.
 */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as HelpDoc from "@effect/cli/HelpDoc"
import * as Span from "@effect/cli/HelpDoc/Span"
import * as Options from "@effect/cli/Options"
import type * as AdminApi from "@mfgdata/client/AdminApi"
import { CompanyId, UserId } from "@mfgdata/domain/Ids"
import * as Right from "@mfgdata/domain/Right"
import * as Scope from "@mfgdata/domain/Scope"
import * as Timestamp from "@mfgdata/domain/Timestamp"
import * as Default from "@mfgdata/shell/Default"
import * as IntegerFlag from "@mfgdata/shell/IntegerFlag"
import * as Program from "@mfgdata/shell/Program"
import * as Table from "@mfgdata/shell/output/Table"
import * as Terminal from "@mfgdata/shell/Terminal"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as AdminTarget from "./AdminTarget.ts"
import * as Flags from "./Flags.ts"

const { flags } = AdminTarget

const id = Args.text({ name: "id" }).pipe(Args.withDescription("Id of the key, as in the list."))

/** Writes the key to standard output, and the message to standard error, so that a script can read the key. */
const show = ({ id, key }: AdminApi.Response<"createKey">) =>
  Effect.zipRight(Terminal.note(`The key ${id} is shown once:`), Terminal.write(`${key}\n`))

const columns = [
  "id",
  "name",
  "key",
  "company",
  "user",
  "scopes",
  "created",
  "expires",
  "last used",
  "revoked"
] as const

const rowOf = (key: AdminApi.ApiKeyRecord): { readonly [C in (typeof columns)[number]]: string } => ({
  id: key.id,
  name: key.name,
  key: key.preview,
  company: key.companyId,
  user: key.userId,
  scopes: key.scopes.join(","),
  created: key.createdAt,
  expires: key.expiresAt ?? "never",
  "last used": key.lastUsedAt ?? "never",
  revoked: key.revokedAt ?? ""
})

const table = (keys: ReadonlyArray<AdminApi.ApiKeyRecord>): string => {
  const rows = keys.map(rowOf)
  const layout = Table.layout(rows, { room: Infinity, names: columns })
  return [Table.header(layout), ...Table.lines(layout, rows)].map((line) => `${line}\n`).join("")
}

const timestamp = Flags.read(
  "expires",
  { expected: "a timestamp", example: "2027-01-31T00:00:00Z" },
  Timestamp.Timestamp
)

const create = Command.make(
  "create",
  {
    flags,
    name: Options.text("name").pipe(
      Options.withDescription("Name of the key: its purpose."),
      Default.of("command line")
    ),
    scopes: Options.text("scope").pipe(
      Options.withDescription("Scope of the key, such as holiday:read; may be repeated (default: every scope)."),
      Options.repeated
    ),
    expires: Options.text("expires").pipe(
      Options.withPseudoName("timestamp"),
      Options.withDescription("Expiry of the key, such as 2027-01-31T00:00:00Z (default: never)."),
      Options.optional
    ),
    companyId: Options.text("company").pipe(
      Options.withSchema(CompanyId),
      Options.withDescription("Company of the key (default: the first company)."),
      Options.optional
    ),
    userId: Options.text("user").pipe(
      Options.withSchema(UserId),
      Options.withDescription("User of the key (default: the first user of the company)."),
      Options.optional
    )
  },
  ({ companyId, expires, flags, name, scopes, userId }) =>
    Effect.gen(function* () {
      const checked = yield* Effect.forEach(scopes, Scope.check)
      const expiresAt = Option.isSome(expires) ? yield* timestamp(expires.value) : null
      const issued = yield* AdminTarget.run(flags, (admin) =>
        admin.createKey({
          name,
          scopes: checked.length === 0 ? ["*"] : checked,
          expiresAt,
          ...(Option.isSome(companyId) ? { companyId: companyId.value } : {}),
          ...(Option.isSome(userId) ? { userId: userId.value } : {})
        })
      )
      yield* show(issued)
    })
).pipe(
  Command.withDescription(
    HelpDoc.blocks([
      HelpDoc.p(
        "Create a key, and show it once. For example: mfg-mock keys create --name reports --scope holiday:read"
      ),
      HelpDoc.h1("SCOPES"),
      HelpDoc.descriptionList(Arr.map(Right.lines, ({ scopes, summary }) => [Span.text(scopes), HelpDoc.p(summary)]))
    ])
  )
)

const list = Command.make("list", { flags }, ({ flags }) =>
  Effect.flatMap(
    AdminTarget.run(flags, (admin) => admin.listKeys({})),
    (keys) => Terminal.write(table(keys))
  )
).pipe(
  Command.withDescription("List all keys by their first characters, the newest first. For example: mfg-mock keys list")
)

const revoke = Command.make("revoke", { flags, id }, ({ flags, id }) =>
  Effect.flatMap(
    AdminTarget.run(flags, (admin) => admin.revokeKey({ id })),
    ({ name }) => Terminal.note(`Revoked the key ${id} (${name}).`)
  )
).pipe(Command.withDescription("Revoke a key immediately. For example: mfg-mock keys revoke <id>"))

const roll = Command.make(
  "roll",
  {
    flags,
    id,
    overlapSeconds: IntegerFlag.option("overlap", {
      placeholder: "seconds",
      description: "Number of seconds for which the old key stays valid.",
      example: 3600
    }).pipe(Default.of(0))
  },
  ({ flags, id, overlapSeconds }) =>
    Effect.flatMap(
      AdminTarget.run(flags, (admin) => admin.rollKey({ id, overlapSeconds })),
      show
    )
).pipe(
  Command.withDescription("Replace a key by a new one like it. For example: mfg-mock keys roll <id> --overlap 3600")
)

const command = Command.make("keys").pipe(
  Command.withDescription("API keys of a store, with or without a running service."),
  Command.withSubcommands([create, list, revoke, roll])
)

export const program: Program.Program = Program.make(command)
