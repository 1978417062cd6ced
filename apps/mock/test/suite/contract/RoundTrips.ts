/** Tests every kind of value in every field with every verb, and compares the response with the request. */
import type { Json, JsonObject } from "@mfgdata/domain/Json"
import { assert, type Vitest } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Service from "../Service.ts"
import * as Document from "./Document.ts"
import { timestamps } from "./Values.ts"

const { companyId } = Service.members.operator

const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? "nothing"
  return text.length > 120 ? `${text.slice(0, 120)}… (${text.length} characters)` : text
}

/** The value of a row after a body was stored. */
const stored = (field: Document.Field, body: JsonObject): Json => {
  const value = body[field.name]
  if (value !== undefined) return value
  return field.name === "companyId" ? companyId : null
}

/** Checks the text and the value of a row against the body. */
const holds = (resource: Document.Resource, step: string, text: string, row: JsonObject, body: JsonObject): void => {
  for (const field of resource.fields) {
    const sent = JSON.stringify(stored(field, body))
    const place = `${resource.name}.${field.name} = ${shown(stored(field, body))}, ${step}`
    assert.strictEqual(JSON.stringify(row[field.name]), sent, place)
    assert.isTrue(text.includes(`"${field.name}":${sent}`), `${place}: the response text holds it byte for byte`)
  }
}

/** Creates the bodies with every value of every field, one request each. */
const createAll = (resource: Document.Resource) =>
  Effect.gen(function* () {
    const { done } = yield* Service.Service
    const created: Array<{ readonly body: JsonObject; readonly row: JsonObject; readonly text: string }> = []
    for (let number = 0; number < Document.rounds(resource); number++) {
      const body = Document.body(resource, number)
      const { row, status, text } = yield* done("POST", resource.path, { body })
      assert.strictEqual(status, 201, `POST ${resource.name}`)
      assert.sameMembers(Object.keys(row), [...Document.columns(resource)], `the fields of ${resource.name}`)
      holds(resource, "POST", text, row, body)
      created.push({ body, row, text })
    }
    return created
  })

/** Compares texts by code point, as their UTF-8 sorts. */
const byCodePoint = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other))

/** Rows in the order of their keys. */
const byKey = ({ key }: Document.Resource, rows: ReadonlyArray<JsonObject>): ReadonlyArray<JsonObject> =>
  rows.toSorted((one, other) => byCodePoint(String(one[key]), String(other[key])))

const instants = new Map(timestamps)

/** Compares two values of a column; returns nothing where the contract defines no order. */
const comparator = (type: Document.Field["type"]) => {
  switch (type) {
    case "string":
    case "vocabulary":
    case "date":
      return (one: Json, other: Json) => byCodePoint(String(one), String(other))
    case "timestamp":
      return (one: Json, other: Json) =>
        byCodePoint(instants.get(String(one)) ?? String(one), instants.get(String(other)) ?? String(other))
    case "number":
    case "boolean":
      return (one: Json, other: Json) => Number(one) - Number(other)
    case "object":
    case "array":
      return undefined
  }
}

/** Sorts members, so that equal objects have one text. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? { members: Object.entries(inner).toSorted(([one], [other]) => byCodePoint(one, other)) }
      : inner
  )

/** The distinct values of a column in the order of rows. */
const distinct = (rows: ReadonlyArray<JsonObject>, column: string): ReadonlyArray<string> =>
  rows.map((row) => canonical(row[column])).filter((text, at, all) => text !== all[at - 1])

const checkOrder = (resource: Document.Resource, field: Document.Field, rows: ReadonlyArray<JsonObject>) =>
  Effect.gen(function* () {
    const { done } = yield* Service.Service
    const { key, name, path } = resource
    const columns = [...new Set([key, field.name])].join()
    const list = (direction: string) =>
      Effect.map(
        done("GET", `${path}?select=${columns}&order=${field.name}.${direction}&limit=10000`),
        (reply) => reply.rows
      )
    const ascending = yield* list("asc")
    const descending = yield* list("desc")
    const place = `${name}?order=${field.name}`
    const keysOf = (rows: ReadonlyArray<JsonObject>) => rows.map((row) => row[key])
    assert.sameMembers(keysOf(ascending), keysOf(rows), `${place}.asc has every row once`)
    assert.sameMembers(keysOf(descending), keysOf(rows), `${place}.desc has every row once`)
    const compare = comparator(field.type)
    if (compare === undefined) {
      const values = distinct(ascending, field.name)
      assert.lengthOf(values, new Set(values).size, `${place}.asc keeps equal values together`)
      assert.deepStrictEqual(distinct(descending, field.name), values.toReversed(), `${place}.desc turns it round`)
      assert.deepStrictEqual(yield* list("asc"), ascending, `${place}.asc is stable`)
      return
    }
    const expected = (sign: 1 | -1) =>
      rows
        .toSorted((one, other) => {
          const [a = null, b = null] = [one[field.name], other[field.name]]
          // Nulls sort after all values; the key decides between equals.
          const order = a === null || b === null ? Number(a === null) - Number(b === null) : compare(a, b)
          return sign * order || byCodePoint(String(one[key]), String(other[key]))
        })
        .map((row) => row[field.name])
    const valuesOf = (rows: ReadonlyArray<JsonObject>) => rows.map((row) => row[field.name])
    assert.deepStrictEqual(valuesOf(ascending), expected(1), `${place}.asc`)
    assert.deepStrictEqual(valuesOf(descending), expected(-1), `${place}.desc`)
  })

/** A megabyte of UTF-8 text without repetition, which an index could compress. */
const megabyte = (() => {
  let state = 1
  const parts: Array<string> = []
  for (let count = 0; count < 87_000; count++) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0
    parts.push(`é${state.toString(36).padStart(8, "0")}"\n`)
  }
  return parts.join("")
})()

/** A field of text of any length: not part of a key, and not an address. */
const isLong = ({ key, name }: Document.Resource, field: Document.Field): boolean =>
  (field.type === "string" || field.type === "vocabulary") &&
  field.name !== key &&
  !["webhook.url", "webhookTable.name", "oauthClient.clientSecret", "oauthCode.code"].includes(`${name}.${field.name}`)

export const suite = (it: Vitest.MethodsNonLive<Service.Service>): void => {
  for (const [index, resource] of Document.resources.entries()) {
    const { key, name, path } = resource

    it.effect(`${name}: 'every writable field is returned with its stored value', by every verb`, () =>
      Effect.gen(function* () {
        const { ask, done } = yield* Service.Service
        yield* Document.clear(resource)
        const created = yield* createAll(resource)
        for (const { row, text } of created) {
          const found = yield* done("GET", Document.address(resource, row))
          assert.strictEqual(found.text, text, `${name} is retrieved as it was created`)
        }

        const list = yield* done("GET", `${path}?limit=10000`)
        assert.lengthOf(list.rows, created.length, `${name} is listed`)
        for (const { body, text } of created) {
          assert.isTrue(list.text.includes(text), `${name} is listed as it was created: ${shown(body)}`)
        }

        for (const column of Document.columns(resource)) {
          const selected = yield* done("GET", `${path}?select=${column}&order=${key}&limit=10000`)
          assert.strictEqual(
            JSON.stringify(selected.rows),
            JSON.stringify(
              byKey(
                resource,
                created.map(({ row }) => row)
              ).map((row) => ({ [column]: row[column] }))
            ),
            `${name}?select=${column}`
          )
          for (const { row } of created) {
            assert.isTrue(
              selected.text.includes(`{"${column}":${JSON.stringify(row[column])}}`),
              `${name}?select=${column} has ${shown(row[column])} byte for byte`
            )
          }
        }

        for (const field of resource.fields)
          yield* checkOrder(
            resource,
            field,
            created.map(({ row }) => row)
          )

        const changed: Array<JsonObject> = []
        for (const [number, { body, row }] of created.entries()) {
          const { [key]: _, ...change } = Document.body(resource, number + 1)
          const after = {
            ...Object.fromEntries(resource.fields.map((field) => [field.name, stored(field, body)])),
            ...change
          }
          const reply = yield* done("PATCH", Document.address(resource, row), { body: change })
          holds(resource, "PATCH", reply.text, reply.row, after)
          changed.push(reply.row)
        }
        const sorted = byKey(resource, changed)
        const after = yield* done("GET", `${path}?order=${key}&limit=10000`)
        assert.deepStrictEqual(after.rows, [...sorted], `${name} after every PATCH`)

        for (const [number, row] of sorted.entries()) {
          const address = Document.address(resource, row)
          const reply = yield* done("DELETE", address)
          assert.deepStrictEqual([reply.status, reply.text], [204, ""], `DELETE ${name}`)
          assert.strictEqual((yield* ask("GET", address)).status, 404, `GET ${name} after DELETE`)
          const left = yield* done("GET", `${path}?select=${key}&order=${key}&limit=10000`)
          assert.deepStrictEqual(
            left.rows.map((row) => row[key]),
            sorted.slice(number + 1).map((row) => row[key]),
            `DELETE ${name} leaves every other row`
          )
        }
      })
    )

    const longFields = resource.fields.filter((field) => isLong(resource, field))
    const field = longFields[index % longFields.length]
    if (field === undefined) continue
    it.effect(`${name}: a megabyte of text in ${field.name} goes through every verb`, () =>
      Effect.gen(function* () {
        const { done } = yield* Service.Service
        yield* Document.clear(resource)
        const [first, second] = [`1${megabyte}`, `2${megabyte}`]
        const holdsText = (reply: Service.Reply, text: string, step: string) =>
          assert.isTrue(reply.text.includes(JSON.stringify(text)), `${name}.${field.name}, a megabyte, ${step}`)
        const created = yield* done("POST", path, { body: { ...Document.plain(resource), [field.name]: first } })
        holdsText(created, first, "POST")
        const address = Document.address(resource, created.row)
        holdsText(yield* done("GET", address), first, "retrieve")
        holdsText(yield* done("PATCH", address, { body: { [field.name]: second } }), second, "PATCH")
        holdsText(yield* done("GET", `${path}?select=${field.name}&order=${field.name}`), second, "list")
        assert.strictEqual((yield* done("DELETE", address)).status, 204)
      })
    )
  }
}
