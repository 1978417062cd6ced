/**
 * Generates requests of every resource with an invalid address, header or method.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Filter from "@mfgdata/domain/Filter"
import type * as Resource from "@mfgdata/domain/Resource"
import * as fc from "effect/FastCheck"
import { type InvalidRequest, deep, encoded, word } from "./HostileValues.ts"

const anyResource = fc.constantFrom<Resource.Any>(...Catalogue.resources)

const operator = fc.oneof(
  fc.constantFrom<string>(
    ...Filter.operators,
    ...Filter.searchOperators,
    "in",
    "is",
    "not.eq",
    "not",
    "eq(any)",
    "all(eq)"
  ),
  word
)

const operand = fc.oneof(
  word,
  word.map((text) => `(${text})`),
  word.map((text) => `{${text}}`),
  fc.constantFrom("(", ")", "{", "}", "(((", '"', '("', "{{{", "null", "(,)", "[1,", "(?<a>x)", "(a*)*b", "\\1")
)

const column = anyResource.chain(({ columns }) => fc.oneof(fc.constantFrom(...Object.keys(columns)), word))

const assigned = ([name, value]: readonly [name: string, value: string]): string => `${name}=${encoded(value)}`

const parameter = fc.oneof(
  fc
    .tuple(column, operator, operand)
    .map(([name, operator, value]) => assigned([encoded(name), `${operator}.${value}`])),
  fc
    .tuple(fc.constantFrom("select", "order", "columns", "on_conflict", "limit", "offset", "and", "or"), word)
    .map(assigned),
  fc.tuple(fc.constantFrom("and", "or", "not.and", "not.or", "a.or"), operand).map(assigned),
  fc.constantFrom(
    `or=${deep(200, "(and", ")")}`,
    `select=${"a->".repeat(300)}b`,
    `select=${deep(50, "a(", ")")}`,
    "id=%ff%fe",
    "%c3%28=eq.1",
    "limit=99999999999999999999",
    "offset=99999999999999999999",
    "limit=-1",
    "offset=-5",
    "limit=1e3",
    "select=count()",
    "select=id::nope",
    "order=id.up"
  )
)

const query = fc
  .tuple(
    anyResource,
    fc.array(parameter, { minLength: 1, maxLength: 3 }),
    fc.constantFrom("GET", "HEAD", "PATCH", "DELETE")
  )
  .map(([{ key, resource }, parameters, method]): InvalidRequest => ({
    method,
    // No row has this key: a filter that is valid by chance matches nothing.
    target: `/rest/${resource}?${[...parameters, `${key}=eq.${encoded("nobody's")}`].join("&")}`,
    headers: { "content-type": "application/json" },
    body: method === "PATCH" ? "{}" : "",
    harmless: true
  }))

const headers = fc
  .tuple(
    anyResource,
    fc.constantFrom(
      { accept: "application/x-nothing" },
      { accept: "text/html;q=oops" },
      { "accept-profile": "private" },
      { prefer: "handling=strict, nonsense=1" },
      { prefer: "return=everything, handling=strict" },
      { prefer: "max-affected=-1, handling=strict" },
      { prefer: "count=perhaps, handling=strict" },
      { prefer: "timezone=Nowhere/Never" },
      { range: "5-2" },
      { range: "bytes=0-" },
      { authorization: "Bearer" },
      { authorization: "Basic abc" },
      { authorization: "Bearer mfg_' OR 1=1--" },
      { authorization: "" },
      { "accept-profile": "__proto__" },
      { "x-request-id": "a\nb" },
      { "if-match": "nonsense" }
    ),
    fc.constantFrom("GET", "HEAD", "TRACE", "CONNECT", "get", "__proto__")
  )
  .map(([{ resource }, headers, method]): InvalidRequest => ({
    method,
    target: `/rest/${resource}`,
    headers,
    harmless: true
  }))

const path = fc
  .tuple(fc.constantFrom("GET", "POST", "PATCH", "DELETE", "PUT"), fc.array(word, { minLength: 1, maxLength: 3 }))
  .map(([method, parts]): InvalidRequest => ({
    method,
    target: `/rest/no${parts.map(encoded).join("/")}?id=eq.1`,
    headers: { "content-type": "application/json" },
    body: "{}"
  }))

/** Requests that cannot be parsed, or name something that does not exist. */
export const arbitraries: ReadonlyArray<fc.Arbitrary<InvalidRequest>> = [query, query, query, headers, path]
