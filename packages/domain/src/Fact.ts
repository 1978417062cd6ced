/**
 * One fact about a service that this project does not run: a place where it differs from the contract, and the number of
 * times that the difference was seen.
 *
 * A fact holds at one place: a column of a resource, a rule, or the answers to one kind of request. The name of the place
 * is unique in a file, so that two facts never decide the same question.
 */
import * as Arr from "effect/Array"
import * as Order from "effect/Order"
import type * as Types from "effect/Types"
import * as Schema from "effect/Schema"
import * as Json from "./Json.ts"
import { Text } from "./Text.ts"

/** The types of columns: those of the contract, and `any` for a column that holds several of them. */
export const types = ["text", "number", "boolean", "date", "timestamp", "object", "array", "any"] as const
export type Type = (typeof types)[number]

/**
 * The kinds of requests to rows. `createMany`, `updateMany` and `deleteMany` concern several rows: a list in the body, or a
 * filter other than the key. The `...Missing` kinds name a key that no row has, in a GET, a PATCH and a DELETE. `any` is
 * every request.
 */
export const requests = [
  "any",
  "list",
  "retrieve",
  "retrieveMissing",
  "create",
  "createMany",
  "upsert",
  "update",
  "updateMany",
  "updateMissing",
  "delete",
  "deleteMany",
  "deleteMissing",
  "options"
] as const
export type Request = (typeof requests)[number]

/** The number of probes, or of rows, in which the fact was observed. */
const seen = Schema.Int.pipe(Schema.positive({ description: "a positive whole number" }))
/** A resource of the catalogue. */
const resource = Schema.NonEmptyString
/** A resource of the catalogue, or `*` for all of them. */
const subject = Schema.NonEmptyString
const column = Schema.NonEmptyString
const request = Schema.Literal(...requests)
/** The value of `return` in the request's `Prefer` header; without it, the fact holds for requests without that header. */
const prefer = Schema.optionalWith(Schema.Literal("representation", "minimal", "headers-only"), { exact: true })
const status = Schema.Int.pipe(Schema.between(200, 599, { description: "a status from 200 to 599" }))

const fact = <const Name extends string, F extends Schema.Struct.Fields>(name: Name, fields: F) =>
  Schema.Struct({ fact: Schema.Literal(name), ...fields, seen })

/** The schema of each fact. */
const shapes = {
  /**
   * Rows have a column that the contract does not list. `write` says whether a create must, may or must not have it; a
   * row without a value has null.
   */
  column: fact("column", {
    resource,
    column,
    type: Schema.Literal(...types),
    write: Schema.Literal("required", "optional", "never")
  }),
  /** Rows lack a column of the contract, and writes and queries refuse it as unknown. */
  absent: fact("absent", { resource, column }),
  /** A column has another type than in the contract, such as an array in place of one value. */
  type: fact("type", { resource, column, type: Schema.Literal(...types) }),
  /** A column holds null, or refuses it, against the contract. */
  nullable: fact("nullable", { resource, column, nullable: Schema.Boolean }),
  /** A create must have a value for the column, or need not have one, against the contract. */
  required: fact("required", { resource, column, required: Schema.Boolean }),
  /** The service computes a column that a create omits, as the public system does: the year of a holiday from its date. */
  computed: fact("computed", { resource, column }),
  /** The service fills a column with this value when a create omits it. */
  default: fact("default", { resource, column, value: Json.Json }),
  /**
   * The values seen in a column. A closed vocabulary refuses every other value with `22P02`: in writes, or always, which
   * includes filters, as an enumerated type of PostgreSQL does. Otherwise the values are documentation.
   */
  vocabulary: fact("vocabulary", {
    resource,
    column,
    values: Schema.NonEmptyArray(Text),
    closed: Schema.Literal("no", "writes", "always")
  }),
  /** The columns are unique together among the rows of a company: a duplicate is refused with `23505`. */
  unique: fact("unique", { resource, columns: Schema.NonEmptyArray(column) }),
  /**
   * A value of the column must be the key of a row (`23503`). Deleting that row is refused as well (`restrict`), or deletes
   * the rows that refer to it (`cascade`).
   */
  reference: fact("reference", { resource, column, onDelete: Schema.Literal("restrict", "cascade") }),
  /** A check of the public system holds, by its name among the rules of the resource (`23514`). */
  check: fact("check", { resource, check: Schema.NonEmptyString }),
  /** `companyId` must be the company of the API key (`42501`). */
  ownCompany: fact("ownCompany", { resource }),

  /** `/rest` answers as PostgREST does, with arrays and without rows after writes, as `/rest/v1` always does. */
  style: fact("style", { style: Schema.Literal("postgrest") }),
  /** A create or update ignores columns that do not exist, in place of refusing them with `PGRST204`. */
  unknownColumns: fact("unknownColumns", { resource: subject, treatment: Schema.Literal("ignored") }),
  /** The order of a list whose request names none, as the `order` parameter. */
  order: fact("order", { resource: subject, order: Schema.NonEmptyString }),
  /** The status of the response to a request that succeeds, or that finds no row. */
  status: fact("status", { resource: subject, request, prefer, status }),
  /**
   * The body of the response to a request that succeeds, or that finds no row: one object, an array, the text `null`, or
   * nothing.
   */
  shape: fact("shape", {
    resource: subject,
    request,
    prefer,
    shape: Schema.Literal("object", "array", "null", "empty")
  }),
  /**
   * A header of responses: its value, or null when the response lacks it. `{resource}`, `{key}` and `{path}` in the value
   * are replaced. The name is in lower case. `any` is every response, `error` every refusal; a kind of request means its
   * successful responses.
   */
  header: fact("header", {
    resource: subject,
    request: Schema.Literal(...requests, "error"),
    name: Schema.String.pipe(
      Schema.pattern(/^[!#$%&'*+.^_`|~0-9a-z-]+$/, { description: "a header name in lower case" })
    ),
    value: Schema.NullOr(Schema.String)
  }),
  /**
   * The response in place of a refusal of this service with a code, and with the status `when` where one code has several.
   * `{code}`, `{message}`, `{details}`, `{hint}`,
   * `{resource}`, `{column}`, `{value}` and `{path}` in the texts of the body are replaced by those of the refusal. A body
   * that is a text is sent as it is, with the given content type; every other body is sent as JSON.
   */
  error: fact("error", {
    resource: subject,
    request,
    code: Schema.NonEmptyString,
    when: Schema.optionalWith(status, { exact: true }),
    status,
    body: Json.Json,
    contentType: Schema.optionalWith(Schema.NonEmptyString, { exact: true })
  }),
  /**
   * The form of timestamps in rows: the zone's text, and the digits of the fraction; `trimmed` leaves out zeros at its end,
   * and a fraction of zero.
   */
  timestamp: fact("timestamp", {
    resource: subject,
    zone: Schema.Literal("Z", "+00:00", ""),
    digits: Schema.Literal(0, 3, 6, "trimmed")
  }),
  /** The numbers of a column are sent as text, or as numbers. */
  number: fact("number", { resource, column, form: Schema.Literal("text", "number") })
} as const

type Shapes = typeof shapes
/** The name of a kind of fact. */
export type Kind = keyof Shapes
/** A fact of a kind. */
export type Of<K extends Kind> = Types.Simplify<Shapes[K]["Type"]>
export type Fact = { readonly [K in Kind]: Of<K> }[Kind]

/** The kinds of facts. */
// The keys of a literal object are those of its type.
export const kinds = Object.keys(shapes) as ReadonlyArray<Kind>

/** The schema of every fact. */
export const Fact: Schema.Schema<Fact> = Schema.Union(...Object.values(shapes)).annotations({ identifier: "Fact" })

/** The parts of a fact that name its place; the others say what holds there. */
const placeParts = ["resource", "column", "columns", "check", "request", "prefer", "name", "code", "when"] as const

/** The place of a fact, such as `error * create 23502`. It is unique in a file, and files are sorted by it. */
export const place = (fact: Fact): string => {
  const parts: { readonly fact: Kind } & { readonly [P in (typeof placeParts)[number]]?: unknown } = fact
  const named = placeParts.flatMap((part) => (parts[part] === undefined ? [] : [String(parts[part])]))
  return [fact.fact, ...named].join(" ")
}

/** The facts about all resources come first, then those about each one, in the order of the kinds. */
const sortKey = (fact: Fact): string =>
  ["resource" in fact ? fact.resource : "*", String(kinds.indexOf(fact.fact)).padStart(2, "0"), place(fact)].join(" ")

/** Sorts facts by resource, kind and place. */
export const sorted = (facts: ReadonlyArray<Fact>): ReadonlyArray<Fact> => Arr.sortWith(facts, sortKey, Order.string)
