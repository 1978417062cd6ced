/**
 * `mfg-mock keys`: the API keys of a store, with or without a running service.
 */
import * as Command from "@effect/cli/Command"
import type * as AdminApi from "@mfgdata/client/AdminApi"
import * as KeyCommand from "@mfgdata/shell/KeyCommand"
import * as Program from "@mfgdata/shell/Program"
import * as Table from "@mfgdata/shell/output/Table"
import * as Terminal from "@mfgdata/shell/Terminal"
import * as Effect from "effect/Effect"
import * as AdminTarget from "./target/AdminTarget.ts"

const { flags } = AdminTarget

const { id } = KeyCommand

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

const create = Command.make(
  "create",
  { flags, name: KeyCommand.name("command line"), ...KeyCommand.create },
  ({ flags, ...values }) =>
    Effect.gen(function* () {
      const request = yield* KeyCommand.request(values)
      yield* Effect.flatMap(
        AdminTarget.run(flags, (admin) => admin.createKey(request)),
        show
      )
    })
).pipe(Command.withDescription(KeyCommand.description("mfg-mock")))

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
    overlapSeconds: KeyCommand.overlap
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
