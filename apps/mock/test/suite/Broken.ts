/**
 * Thousands of requests that are broken somewhere: each is refused as the caller's fault, and nothing is kept of any.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Column from "@mfgdata/domain/Column"
import * as Filter from "@mfgdata/domain/Filter"
import type { Json } from "@mfgdata/domain/Json"
import type * as Resource from "@mfgdata/domain/Resource"
import { assert, type Vitest } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "effect/FastCheck"
import type * as Exchange from "../../src/Exchange.ts"
import * as Sample from "./Sample.ts"
import * as Service from "./Service.ts"

interface Broken {
  readonly method: string
  readonly target: string
  readonly headers: { readonly [name: string]: string }
  readonly body?: Uint8Array | string
  /** Whether it may be answered as if it were whole: a read of nonsense may find nothing. */
  readonly harmless?: boolean
}

const sqlTexts = [
  "'",
  '"',
  "';--",
  "1; DROP TABLE \"holiday\"",
  "' OR '1'='1",
  "\") OR 1=1--",
  "') UNION SELECT * FROM \"_apiKey\"--",
  "\\",
  "${x}",
  "$1",
  "?1",
  ":a",
  "%00",
  "\u0000",
  "\ud800",
  "%",
  "_doc",
  "_tenant",
  "rowid",
  "sqlite_master",
  "__proto__",
  "constructor",
  "toString"
]
const sqlText = fc.constantFrom(...sqlTexts)

const word = fc.oneof(sqlText, fc.string({ maxLength: 12 }), fc.string({ unit: "binary", maxLength: 6 }))

/** Bytes of an address: what cannot be encoded as UTF-8 is sent broken. */
const encoded = (text: string): string => (text.isWellFormed() ? encodeURIComponent(text) : "%ed%a0%80")

const deep = (depth: number, open: string, close: string): string => open.repeat(depth) + close.repeat(depth)

/** What a parser could stumble over. */
const malformedTexts = [
  "",
  " ",
  "{",
  "[",
  '{"a":',
  "{'a':1}",
  '{"a":1}}',
  "[{}",
  "undefined",
  "NaN",
  '{"a":NaN}',
  '"text"',
  "7",
  "null",
  "true",
  "[7]",
  "[null]",
  "[[]]",
  "\ufeff{",
  '{"a":"\u0000"}',
  deep(100_000, "[", "]"),
  deep(100_000, "[", ""),
  deep(20_000, '{"a":', "}"),
  '{"__proto__":{"name":"x"}}',
  '{"constructor":{"prototype":{}}}'
]
const malformed = fc.oneof(
  fc.constantFrom(...malformedTexts),
  fc.string({ maxLength: 30 }).map((text) => `{${text}`),
  fc.string({ unit: "binary", maxLength: 30 }).map((text) => `[${text}`)
)

const invalidUtf8 = fc
  .uint8Array({ maxLength: 8 })
  .map((bytes) => Uint8Array.from([...Buffer.from('{"name":"'), ...bytes, 0xff, 0xc3, 0x28, ...Buffer.from('"}')]))

/** A value that no column of a type takes. */
const wrongValues: { readonly [T in Column.Type]: ReadonlyArray<Json> } = {
  text: [1, true, {}, [], ["a"], "\u0000", "\ud800", "a\u0000b"],
  number: ["1", "", true, {}, [], [1], "1e999", "NaN"],
  boolean: ["true", 0, 1, "", {}, [], "t"],
  date: [20260131, "", "today", "2026-02-30", "31.01.2026", "2026-1-1", {}, true, "';--"],
  timestamp: [0, "", "now", "2026-01-31T25:00:00Z", "2026-01-31T12:00:00.1234567Z", [], {}, "';--"],
  object: ["{}", 1, true, [], [{}], { a: "\u0000" }, { "\ud800": 1 }],
  array: ["{a}", "[]", 1, {}, [1], [null], [["a"]], ["\u0000"], [{}]]
}

const json = { "content-type": "application/json" }
const postgrest = { "content-profile": "public", "accept-profile": "public" }

const resource = fc.constantFrom<Resource.Any>(...Catalogue.resources)

/** Requests for rows of which those of `parents` exist. */
const requests = (parents: Sample.Parents): fc.Arbitrary<Broken> => {
  const bodyOf = (resource: Resource.Any) =>
    Sample.body(resource, 2, { parents, companyId: Service.members.operator.companyId })
  const at = (resource: Resource.Any) => Sample.address(resource, parents.get(resource.resource))
  const path = (resource: Resource.Any) => `/rest/${resource.resource}`

  /** A write of a body, at a row or of a new one. */
  const writing = (resource: Resource.Any, body: Broken["body"], headers = json): fc.Arbitrary<Broken> =>
    fc
      .constantFrom(
        { method: "POST", target: path(resource) },
        { method: "PATCH", target: at(resource) },
        { method: "PUT", target: at(resource) }
      )
      .map((request) => ({ ...request, headers, ...(body === undefined ? {} : { body }) }))

  const withBody = (body: fc.Arbitrary<Uint8Array | string>): fc.Arbitrary<Broken> =>
    fc.tuple(resource, body).chain(([resource, body]) => writing(resource, body))

  const wrongType = resource.chain((resource) => {
    const columns = Column.fromResource(resource).filter(({ write }) => write !== "never")
    return fc
      .constantFrom(...columns)
      .chain((column) => fc.tuple(fc.constant(column), fc.constantFrom(...wrongValues[column.type])))
      .chain(([{ name }, value]) =>
        writing(resource, JSON.stringify({ ...bodyOf(resource), [name]: value })).map((request) => ({
          ...request,
          // A PUT repeats the key that its address names.
          headers: json
        }))
      )
  })

  const unknownColumn = fc
    .tuple(resource, word)
    .filter(([{ columns }, name]) => !Object.hasOwn(columns, name))
    .chain(([resource, name]) => {
      const body = JSON.stringify(bodyOf(resource))
      return writing(resource, `${body.slice(0, -1)},${JSON.stringify(name)}:1}`)
    })

  const setByService = resource.chain((resource) => {
    const columns = Object.keys(resource.columns).filter((name) => !(name in resource.writes))
    const { method, target } = { method: "POST", target: path(resource) }
    return fc.constantFrom(...(columns.length === 0 ? ["nothing"] : columns)).map((name) => ({
      method,
      target,
      headers: json,
      body: JSON.stringify({ ...bodyOf(resource), [name]: "given" })
    }))
  })

  const missing = resource.chain((resource) =>
    fc.constantFrom(...Object.keys(resource.writes).filter((name) => resource.writes[name] === "required")).map((name) => {
      const { [name]: _, ...others } = bodyOf(resource)
      return { method: "POST", target: path(resource), headers: json, body: JSON.stringify(others) }
    })
  )

  const cleared = resource.chain((resource) =>
    fc
      .constantFrom(...Object.keys(resource.writes).filter((name) => resource.writes[name] === "required"))
      .filter((name) => name !== resource.key)
      .map((name) => ({
        method: "PATCH",
        target: at(resource),
        headers: json,
        body: JSON.stringify({ [name]: null })
      }))
  )

  const orphan = fc.tuple(fc.constantFrom(...Catalogue.references), word).map(([{ child, column }, value]) => ({
    method: "POST",
    target: path(child),
    headers: json,
    body: JSON.stringify({ ...bodyOf(child), [column]: `no${value}` })
  }))

  const operator = fc.oneof(
    fc.constantFrom<string>(...Filter.operators, ...Filter.searching, "in", "is", "not.eq", "not", "eq(any)", "all(eq)"),
    word
  )
  const column = resource.chain((resource) =>
    fc.tuple(fc.constant(resource), fc.oneof(fc.constantFrom(...Object.keys(resource.columns)), word))
  )
  const operand = fc.oneof(
    word,
    word.map((text) => `(${text})`),
    word.map((text) => `{${text}}`),
    fc.constantFrom("(", ")", "{", "}", "(((", '"', '("', "{{{", "null", "(,)", "[1,", "(?<a>x)", "(a*)*b", "\\1")
  )
  const parameter = fc.oneof(
    fc.tuple(column, operator, operand).map(([[, name], operator, value]) => `${encoded(name)}=${encoded(`${operator}.${value}`)}`),
    fc.tuple(fc.constantFrom("select", "order", "columns", "on_conflict", "limit", "offset"), word).map(
      ([name, value]) => `${name}=${encoded(value)}`
    ),
    fc.tuple(fc.constantFrom("and", "or", "not.and", "not.or", "a.or"), operand).map(
      ([name, value]) => `${name}=${encoded(value)}`
    ),
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

  const brokenQuery = fc
    .tuple(resource, fc.array(parameter, { minLength: 1, maxLength: 3 }), fc.constantFrom("GET", "HEAD", "PATCH", "DELETE"))
    .map(([resource, parameters, method]) => ({
      method,
      // No row is called so: a filter that happens to be whole finds nothing to change.
      target: `${path(resource)}?${[...parameters, `${resource.key}=eq.${encoded("nobody's")}`].join("&")}`,
      headers: method === "PATCH" ? json : {},
      ...(method === "PATCH" ? { body: JSON.stringify({}) } : {}),
      harmless: true
    }))

  const brokenHeaders = fc
    .tuple(
      resource,
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
    .map(([resource, headers, method]) => ({ method, target: path(resource), headers, harmless: true }))

  const brokenType = fc
    .tuple(resource, fc.constantFrom("application/xml", "multipart/form-data", "text/plain", "__proto__"))
    .chain(([resource, type]) => writing(resource, JSON.stringify(bodyOf(resource)), { "content-type": type }))

  const brokenCsv = fc
    .tuple(resource, fc.constantFrom('"', "a\n1,2", 'a"b\n', "name\nx", "id,id,id\n1,2", "\u0000\n\u0000"))
    .map(([resource, body]) => ({
      method: "POST",
      target: path(resource),
      headers: { "content-type": "text/csv" },
      body
    }))

  const unfiltered = fc.tuple(resource, fc.constantFrom("PATCH", "DELETE")).map(([resource, method]) => ({
    method,
    target: path(resource),
    headers: json,
    body: JSON.stringify(bodyOf(resource))
  }))

  const brokenPath = fc
    .tuple(fc.constantFrom("GET", "POST", "PATCH", "DELETE", "PUT"), fc.array(word, { minLength: 1, maxLength: 3 }))
    .map(([method, parts]) => ({
      method,
      target: `/rest/no${parts.map(encoded).join("/")}?id=eq.1`,
      headers: json,
      body: "{}"
    }))

  const coerced = resource.chain((resource) => {
    const columns = Column.fromResource(resource).filter(({ type, write }) => write !== "never" && type !== "text")
    return columns.length === 0
      ? unknownColumn
      : fc
          .tuple(fc.constantFrom(...columns), fc.constantFrom("x'", "';--", "{", "[", "\u0000"))
          .chain(([{ name }, value]) =>
            writing(resource, JSON.stringify({ ...bodyOf(resource), [name]: value }), { ...json, ...postgrest })
          )
  })

  return fc.oneof(
    withBody(malformed),
    withBody(invalidUtf8),
    wrongType,
    unknownColumn,
    setByService,
    missing,
    cleared,
    orphan,
    { arbitrary: brokenQuery, weight: 4 },
    brokenHeaders,
    brokenType,
    brokenCsv,
    unfiltered,
    brokenPath,
    coerced
  )
}

const rounds = 24
const perRound = 250

const toExchange = ({ method, target, ...asking }: Broken): Exchange.Request =>
  Service.exchange(method, target, asking)

export const suite = (it: Vitest.MethodsNonLive<Service.Service>): void => {
  it.effect(`${rounds * perRound} broken requests are the caller's fault, and change nothing`, () =>
    Effect.gen(function* () {
      const { service, world } = yield* Service.Service
      yield* Sample.clear("operator")
      const parents = yield* Sample.plant("operator")
      const before = yield* world.store.checksum
      const arbitrary = requests(parents)
      const statuses = new Map<number, number>()
      for (let round = 0; round < rounds; round++) {
        for (const broken of fc.sample(arbitrary, { numRuns: perRound, seed: round })) {
          const { body, status } = yield* service.handle(toExchange(broken))
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
          const isRefused = status >= 400 && status < 500
          if (!isRefused && !(broken.harmless && status < 400)) {
            const { method, target, body: sent = "", headers } = broken
            const shown = [method, target, JSON.stringify(headers), String(sent)].map((text) => text.slice(0, 600))
            assert.fail(`${status} ${String(body).slice(0, 300)}\n${shown.join("\n")}`)
          }
        }
        assert.deepStrictEqual(yield* world.store.checksum, before)
      }
      // Most were refused, and for many reasons.
      assert.isAbove(statuses.get(400) ?? 0, (rounds * perRound) / 2)
      assert.includeMembers([...statuses.keys()], [400, 401, 404, 405, 406, 409])
    })
  )
}
