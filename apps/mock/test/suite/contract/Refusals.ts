/** Tests the values that the document excludes: of another type, missing, unknown, and set by the service. */
import type { Json } from "@mfgdata/domain/Json"
import { assert, type Vitest } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Service from "../Service.ts"
import * as Document from "./Document.ts"
import { refused } from "./Values.ts"

const shown = (value: Json): string => JSON.stringify(value).slice(0, 120)

/** Text that a store cannot keep, or would truncate. */
const unstorable = ["zero \u0000 byte", "lone \ud800 surrogate"]

const wrapped = (field: Document.Field, text: string): Json => {
  switch (field.type) {
    case "object":
      return { [text]: text }
    case "array":
      return [text]
    default:
      return text
  }
}

export const suite = (it: Vitest.MethodsNonLive<Service.Service>): void => {
  for (const resource of Document.resources) {
    const { fields, key, name, path, returned } = resource
    const required = fields.filter((field) => field.required)

    it.effect(`${name}: names the refused field, and changes nothing`, () =>
      Effect.gen(function* () {
        const { ask, done } = yield* Service.Service
        yield* Document.clear(resource)
        const plain = Document.plain(resource)
        const { row, text } = yield* done("POST", path, { body: plain })
        const address = Document.address(resource, row)
        const refuse = (
          method: string,
          target: string,
          body: Json,
          code: string | undefined,
          named: string,
          what: string
        ) =>
          Effect.map(ask(method, target, { body }), (reply) => {
            const place = `${method} ${name}: ${what}: ${reply.text.slice(0, 300)}`
            assert.strictEqual(reply.status, 400, place)
            if (code !== undefined) assert.strictEqual(reply.row["code"], code, place)
            assert.include(reply.text, named, place)
          })

        for (const field of fields) {
          // Values other than text get no calendar error.
          const typed = (value: Json) =>
            (field.type === "date" || field.type === "timestamp") && typeof value === "string" ? undefined : "22P02"
          const isKey = field.name === key
          for (const [number, value] of refused[field.type].entries()) {
            const what = `${field.name} = ${shown(value)}`
            yield* refuse("POST", path, { ...plain, [field.name]: value }, typed(value), field.name, what)
            if (number % 3 === 0 && !isKey) {
              yield* refuse("PATCH", address, { [field.name]: value }, typed(value), field.name, what)
            }
          }
          if (
            field.type === "number" ||
            field.type === "boolean" ||
            field.type === "date" ||
            field.type === "timestamp"
          )
            continue
          for (const text of unstorable) {
            const body = { ...plain, [field.name]: wrapped(field, text) }
            yield* refuse("POST", path, body, "22P05", field.name, `${field.name} = ${shown(text)}`)
          }
        }

        for (const field of required) {
          const { [field.name]: _, ...rest } = plain
          yield* refuse("POST", path, rest, "23502", field.name, `${field.name} is absent`)
          yield* refuse("POST", path, { ...plain, [field.name]: null }, "23502", field.name, `${field.name} is null`)
          if (field.name === key) continue
          yield* refuse("PATCH", address, { [field.name]: null }, "23502", field.name, `${field.name} is null`)
        }
        for (const field of required)
          yield* refuse("POST", path, {}, "23502", field.name, "every required field is absent")

        for (const unknown of ["noSuchField", "ID", "company_id", "constructor", ""]) {
          yield* refuse("POST", path, { ...plain, [unknown]: 1 }, "PGRST204", unknown, `${unknown} is unknown`)
          yield* refuse("PATCH", address, { [unknown]: 1 }, "PGRST204", unknown, `${unknown} is unknown`)
        }

        for (const field of returned) {
          const value = field.endsWith("At") ? "2020-02-02T02:02:02.000Z" : "elsewhere"
          yield* refuse("POST", path, { ...plain, [field]: value }, "428C9", field, `${field} is set by the service`)
          yield* refuse("PATCH", address, { [field]: value }, "428C9", field, `${field} is set by the service`)
        }

        for (const body of ["null", "1", '"text"', "[1]", "[null]", "{", "{'a':1}", '{"a":1', "nothing"]) {
          for (const [method, target] of [
            ["POST", path],
            ["PATCH", address]
          ] as const) {
            const reply = yield* ask(method, target, { body })
            assert.strictEqual(reply.status, 400, `${method} ${name} with the body ${body}: ${reply.text}`)
          }
        }

        const rows = yield* done("GET", path)
        assert.lengthOf(rows.rows, 1, `${name} after refusals`)
        assert.isTrue(rows.text.includes(text), `${name} after refusals`)
      })
    )
  }
}
