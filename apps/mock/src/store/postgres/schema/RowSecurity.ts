/**
 * Row-level security on the company: a second wall after the predicate that every statement has. The policies let a
 * transaction see the rows of the company that it names in a setting, or all rows, if it names itself a transaction of
 * the service. A transaction that names nothing sees none.
 */
import { quote } from "../../RuleSet.ts"
import { settings } from "../connection/CompanyScope.ts"
import * as CompanyTables from "./CompanyTables.ts"
import type { Connection } from "../PostgresDriver.ts"

const policy = "company"

/** A setting, read once for each statement. */
const current = (setting: string): string => `(SELECT current_setting('${setting}', true))`

const create = ({ column, name: table }: CompanyTables.CompanyTable): string =>
  `CREATE POLICY "${policy}" ON ${quote(table)}
    USING (${quote(column)} = ${current(settings.company)} OR ${current(settings.service)} = 'on');
  ALTER TABLE ${quote(table)} ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY`

const drop = (table: string): string =>
  `ALTER TABLE ${quote(table)} DISABLE ROW LEVEL SECURITY, NO FORCE ROW LEVEL SECURITY;
  DROP POLICY "${policy}" ON ${quote(table)}`

/** The tables with the policy. */
const secured = async (connection: Pick<Connection, "execute">): Promise<ReadonlySet<unknown>> => {
  const rows = await connection.execute({
    text: `SELECT c.relname FROM pg_policy AS p JOIN pg_class AS c ON c.oid = p.polrelid
      WHERE c.relnamespace = current_schema()::regnamespace AND p.polname = '${policy}' AND c.relrowsecurity`,
    parameters: []
  })
  return new Set(rows.map(([name]) => name))
}

/** Reports whether the tables have policies. */
export const isOn = async (connection: Pick<Connection, "execute">): Promise<boolean> =>
  (await secured(connection)).size > 0

/** Creates the policies that are missing, or drops them; undefined keeps them for every table, or for none. */
export const apply = async (connection: Connection, wanted: boolean | undefined): Promise<void> => {
  const found = await secured(connection)
  const isWanted = wanted ?? found.size > 0
  const statements = isWanted
    ? CompanyTables.tables.filter(({ name }) => !found.has(name)).map(create)
    : Array.from(found, (table) => drop(String(table)))
  if (statements.length > 0) await connection.script(statements.join(";\n"))
}

/** Reports whether the role of a connection is exempt from policies. */
export const isBypassed = async (connection: Pick<Connection, "execute">): Promise<boolean> => {
  const [row] = await connection.execute({
    text: `SELECT (rolsuper OR rolbypassrls)::integer FROM pg_roles WHERE rolname = current_user`,
    parameters: []
  })
  return row?.[0] === 1
}
