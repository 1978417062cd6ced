/**
 * Writes the parameters of a statement into its text as literals, for the simple protocol. A pooler that gives each
 * transaction another session cannot keep a prepared statement, and loses the response to a description of one that is
 * sent before other statements have ended.
 */
import type { Parameter, Statement } from "../../../sql/Statement.ts"

/** A literal of the type that the context requires. A backslash means itself, whatever the setting of the server is. */
export const literal = (value: Parameter): string => {
  if (value === null) return "NULL"
  const quoted = `'${String(value).replaceAll("'", "''")}'`
  return quoted.includes("\\") ? ` E${quoted.replaceAll("\\", "\\\\")}` : quoted
}

/** The text of a statement with its parameters. Texts of statements have placeholders nowhere else. */
export const toText = ({ parameters, text }: Statement): string =>
  parameters.length === 0
    ? text
    : text.replaceAll(/\$(\d+)/g, (_, position) => literal(parameters[Number(position) - 1] ?? null))
