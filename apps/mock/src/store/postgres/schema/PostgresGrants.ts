/**
 * The privileges of a role that serves and does not own the tables: exactly those that the statements of the service
 * need.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as PastRow from "../../../sql/PastRow.ts"
import { quote } from "../../RuleSet.ts"
import type { Connection } from "../PostgresDriver.ts"

type Privilege = "SELECT" | "INSERT" | "UPDATE" | "DELETE"

const letters = { r: "SELECT", i: "INSERT", u: "UPDATE", d: "DELETE" } as const satisfies {
  [letter: string]: Privilege
}

/** The privileges of the service's own tables by their first letters. */
const ofService = {
  _meta: "riud",
  // The quota of webhooks locks the row of the company, which needs a privilege to change it.
  _company: "riu",
  _user: "riu",
  _companyUser: "ri",
  _apiKey: "riu",
  _attributeCategory: "ri",
  _attribute: "ri",
  _attributeValue: "riud",
  _notificationPreference: "riu",
  _outbox: "rid",
  _webhookSecret: "riud",
  _webhookFailure: "riud",
  _webhookCount: "riud",
  _delivery: "riud",
  _deliveryAttempt: "ri",
  _idempotency: "riud",
  _historySpan: "ru",
  _history: "rid",
  // A subscriber of changes asks for the last number.
  _history_sequence_seq: "r"
}

const privilegesOf = (text: string): ReadonlyArray<Privilege> =>
  Object.entries(letters).flatMap(([letter, privilege]) => (text.includes(letter) ? [privilege] : []))

interface Grant {
  readonly table: string
  readonly privileges: ReadonlyArray<Privilege>
}

/** The privileges on each table. */
const grants: ReadonlyArray<Grant> = [
  ...Catalogue.resources.flatMap((resource) => [
    { table: resource.resource, privileges: privilegesOf("riud") },
    { table: PastRow.tableName(resource), privileges: privilegesOf("rid") }
  ]),
  ...Object.entries(ofService).map(([table, text]) => ({ table, privileges: privilegesOf(text) }))
]

/** The statements that grant privileges to a role: one for the schema, and one for the tables with the same privileges. */
const statementsOf = (
  schema: string,
  role: string,
  { tables, usage }: { readonly usage: boolean; readonly tables: ReadonlyArray<Grant> }
): ReadonlyArray<string> => {
  const groups = new Map<string, Array<string>>()
  for (const { privileges, table } of tables) {
    const name = privileges.join(", ")
    if (name !== "") groups.set(name, [...(groups.get(name) ?? []), `${quote(schema)}.${quote(table)}`])
  }
  return [
    ...(usage ? [`GRANT USAGE ON SCHEMA ${quote(schema)} TO ${quote(role)}`] : []),
    ...Array.from(groups, ([privileges, names]) => `GRANT ${privileges} ON ${names.join(", ")} TO ${quote(role)}`)
  ]
}

/** All statements that a role needs. */
export const statements = (schema: string, role: string): ReadonlyArray<string> =>
  statementsOf(schema, role, { usage: true, tables: grants })

/** The schema of the store's tables, also when the role may not use it. */
export const schemaOf = async (connection: Pick<Connection, "execute">): Promise<string> => {
  const [row] = await connection.execute({
    text: `SELECT coalesce(current_schema(), trim(both ' "' from split_part(current_setting('search_path'), ',', 1)))`,
    parameters: []
  })
  return String(row?.[0])
}

/** The statements that grant what the role of a connection lacks. */
export const missing = async (connection: Pick<Connection, "execute">): Promise<ReadonlyArray<string>> => {
  const schema = await schemaOf(connection)
  const [facts] = await connection.execute({
    text: `SELECT current_user::text, has_schema_privilege($1::text, 'USAGE')::integer`,
    parameters: [schema]
  })
  const wanted = grants.flatMap(({ privileges, table }) => privileges.map((privilege) => ({ table, privilege })))
  const lacking = await connection.execute({
    text: `SELECT "given"."table", "given"."privilege"
      FROM json_to_recordset($1::text::json) AS "given" ("table" text, "privilege" text)
      JOIN pg_namespace AS "space" ON "space"."nspname" = $2::text
      JOIN pg_class AS "class" ON "class"."relnamespace" = "space"."oid" AND "class"."relname" = "given"."table"
      WHERE NOT has_table_privilege("class"."oid", "given"."privilege")`,
    parameters: [JSON.stringify(wanted), schema]
  })
  const tables = grants.map(({ privileges, table }) => ({
    table,
    privileges: privileges.filter((privilege) => lacking.some(([name, found]) => name === table && found === privilege))
  }))
  return statementsOf(schema, String(facts?.[0]), { usage: facts?.[1] !== 1, tables })
}
