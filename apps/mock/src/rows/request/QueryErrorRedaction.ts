/**
 * Removes the values of sensitive columns and API keys from query errors.
 */
import * as ApiKey from "@mfgdata/domain/ApiKey"
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Column from "@mfgdata/domain/Column"
import { ListMalformed, type QueryError, QueryMalformed } from "@mfgdata/domain/QueryError"

const sensitive = new Set(
  Catalogue.resources.flatMap((resource) =>
    Column.fromResource(resource).flatMap((column) => (column.sensitive ? [column.name] : []))
  )
)

// Matches a sensitive column anywhere, for instance inside a logic tree.
const sensitiveName = new RegExp(`\\b(?:${[...sensitive].join("|")})\\b`)

const withheld = "a text that is not shown"

/** The error without sensitive values. */
export const redact = (error: QueryError): QueryError => {
  if (error._tag !== "QueryMalformed" && error._tag !== "ListMalformed") return error
  const { parameter, text } = error
  if (!sensitiveName.test(parameter) && !sensitiveName.test(text) && !text.includes(ApiKey.prefix)) return error
  if (error._tag === "ListMalformed") return new ListMalformed({ parameter, text: withheld, details: error.details })
  const { expected, position, subject } = error
  return new QueryMalformed({ parameter, subject, text: withheld, position, found: error.found, expected })
}
