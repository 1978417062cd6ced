/**
 * Records the history of a store on PostgreSQL: a trigger of each table keeps each change of a row in the transaction of
 * the change. A setting of the transaction contains its time and request.
 */
import type { Origin } from "../../sql/Change.ts"
import * as PastRow from "../../sql/PastRow.ts"
import { dialect } from "../../sql/postgres/PostgresDialect.ts"
import type { Statement } from "../../sql/Statement.ts"
import * as Recorder from "../Recorder.ts"
import { list, literal, quote } from "../RuleSet.ts"
import type { Connection } from "./PostgresDriver.ts"

/** The setting of a transaction: the time and the request of its changes, separated by a character that none contains. */
const setting = "mfgdata.origin"
const separator = "\u001f"

/** The value of the setting that records nothing. */
const paused = "paused"

const originColumns = ["at", "requestId", "request", "apiKey", "userId"]

const withoutSecrets = (document: string, names: ReadonlyArray<string>): string => {
  const members = names.map((name) => ({ name, json: { chunks: ["'null'::json"], parameters: [], commonTables: [] } }))
  return dialect.replace({ chunks: [document], parameters: [], commonTables: [] }, members).chunks.join("")
}

/** The function and the trigger of a table. A change of a key is the deletion of one row and the creation of another. */
const trigger = (resource: (typeof Recorder.resources)[number]): string => {
  const name = quote(`history_${resource.resource}`)
  const key = quote(resource.key)
  const { columns, values } = Recorder.pastRow(dialect, resource, withoutSecrets)
  const change = (kind: Recorder.Kind) =>
    `INSERT INTO "_history" (${list(originColumns)}, ${Recorder.changeColumns})
    VALUES (moment, nullif(origin[2], ''), nullif(origin[3], ''), nullif(origin[4], ''), nullif(origin[5], ''),
      ${Recorder.changeValues(resource, kind)}) RETURNING "sequence" INTO number;`
  const past = `INSERT INTO ${quote(PastRow.tableName(resource))} (${columns}) SELECT number, ${values};`
  return `CREATE FUNCTION ${name} () RETURNS trigger LANGUAGE plpgsql AS $body$
DECLARE
  origin text[] := string_to_array(current_setting('${setting}', true), chr(31));
  moment bigint;
  number bigint;
BEGIN
  IF origin[1] = '${paused}' THEN RETURN NULL; END IF;
  moment := coalesce(nullif(origin[1], '')::bigint, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint);
  IF TG_OP = 'INSERT' THEN
    ${change("INSERT")}
  ELSIF TG_OP = 'DELETE' THEN
    ${change("DELETE")}
    ${past}
  ELSIF OLD.${key} = NEW.${key} THEN
    ${change("UPDATE")}
    ${past}
  ELSE
    ${change("DELETE")}
    ${past}
    ${change("INSERT")}
  END IF;
  RETURN NULL;
END
$body$;
CREATE TRIGGER "history" AFTER INSERT OR UPDATE OR DELETE ON ${quote(resource.resource)}
  FOR EACH ROW EXECUTE FUNCTION ${name} ()`
}

const drop = (resource: (typeof Recorder.resources)[number]): string =>
  `DROP FUNCTION IF EXISTS ${quote(`history_${resource.resource}`)} () CASCADE`

/** The number of the latest triggers; those of an earlier version are replaced. */
const version = "1"

const versionOf = async (connection: Connection): Promise<unknown> => {
  const [row] = await connection.execute({
    text: `SELECT obj_description(p.oid, 'pg_proc') FROM pg_proc AS p
      WHERE p.pronamespace = current_schema()::regnamespace AND p.proname = $1`,
    parameters: [`history_${Recorder.resources[0]?.resource ?? ""}`]
  })
  return row?.[0]
}

/**
 * Starts or stops to record, for every instance. The caller runs it in a transaction that no other instance runs at the
 * same time.
 */
export const apply = async (connection: Connection, isOn: boolean, micros: number): Promise<void> => {
  const found = await versionOf(connection)
  if (isOn) {
    if (found !== version) {
      const statements = Recorder.resources.flatMap((resource) => [
        drop(resource),
        trigger(resource),
        `COMMENT ON FUNCTION ${quote(`history_${resource.resource}`)} () IS ${literal(version)}`
      ])
      await connection.script(statements.join(";\n"))
    }
    return span(connection, micros)
  }
  if (found === undefined) return
  await connection.script(Recorder.resources.map(drop).join(";\n"))
  await connection.execute({
    text: `UPDATE "_historySpan" SET "ended" = $1 WHERE "ended" IS NULL`,
    parameters: [String(micros)]
  })
}

/** Reports whether the history has begun and not ended. */
export const isOpen = async (connection: Pick<Connection, "execute">): Promise<boolean> => {
  const rows = await connection.execute({
    text: `SELECT 1 FROM "_historySpan" WHERE "ended" IS NULL`,
    parameters: []
  })
  return rows.length > 0
}

/** Begins a span of the history, unless one has not ended. */
export const span = async (connection: Connection, micros: number): Promise<void> => {
  await connection.execute({
    text: `INSERT INTO "_historySpan" AS "span" ("id", "begins") VALUES (1, $1) ON CONFLICT ("id")
      DO UPDATE SET "begins" = excluded."begins", "ended" = NULL WHERE "span"."ended" IS NOT NULL`,
    parameters: [String(micros)]
  })
}

/** Records nothing in the current transaction: a restore replaces the history itself. */
export const pause = `SET LOCAL ${setting} = '${paused}'`

/** The value of the setting for a change. */
export const originOf = (micros: number, origin: Origin | undefined): string =>
  [micros, origin?.requestId, origin?.request, origin?.apiKey, origin?.userId]
    .map((value) => String(value ?? "").replaceAll(separator, " "))
    .join(separator)

/** Sets the time and the request of the transaction's changes. */
export const setOrigin = (value: string): Statement => ({
  text: `SELECT set_config('${setting}', $1, true)`,
  parameters: [value],
  isSingle: true
})

/** The condition that sets them within a statement that changes rows. Triggers run when the statement ends. */
export const condition = (placeholder: string): string => `set_config('${setting}', ${placeholder}, true) IS NOT NULL`
