/** Sends every example of the OpenAPI documents to a service with the demo's rows. */
import { assert, describe, layer } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Exchange from "../../../src/Exchange.ts"
import * as Instance from "../../../src/service/Instance.ts"
import * as OpenApiDocument from "../../../src/service/openapi/OpenApiDocument.ts"
import * as Settings from "../../../src/Settings.ts"
import * as Description from "../../suite/Description.ts"

class Demo extends Context.Tag("Demo")<Demo, Instance.Instance>() {}

const apiKey = "mfg_example_caller"

const demo = Layer.scoped(
  Demo,
  Effect.orDie(
    Instance.make({
      settings: { ...Settings.defaults, apiKey, seed: { _tag: "Demo" }, store: { _tag: "Sqlite", path: ":memory:" } },
      write: () => {}
    })
  )
)

interface Parameter {
  readonly name: string
  readonly in: "query" | "header" | "path"
  readonly required?: boolean
  readonly example: string | number
}

interface Body {
  readonly type: string
  readonly value: unknown
}

const records = (value: unknown): ReadonlyArray<readonly [string, Description.Node]> =>
  Object.entries(Description.isNode(value) ? value : {}).filter((entry): entry is [string, Description.Node] =>
    Description.isNode(entry[1])
  )

const parametersOf = (place: Description.Place): ReadonlyArray<Parameter> => {
  const parameters = Description.part(...place, "parameters")
  return (Array.isArray(parameters) ? parameters : []).map(
    // The linters' tests establish the form.
    (_, index) => Description.part(...Description.resolved([...place, "parameters", String(index)])) as Parameter
  )
}

const bodiesOf = (place: Description.Place): ReadonlyArray<Body> =>
  records(Description.part(...place, "requestBody", "content")).flatMap(([type, media]) => [
    ...("example" in media ? [{ type, value: media["example"] }] : []),
    ...records(media["examples"]).map(([name]) => ({
      type,
      value: Description.part(
        ...Description.resolved([...place, "requestBody", "content", type, "examples", name]),
        "value"
      )
    }))
  ])

const columnFilter = /^\w+=(?:eq|is)\./

/** A path with the examples of its parameters. */
const pathOf = (template: string, parameters: ReadonlyArray<Parameter>): string =>
  template.replaceAll(/\{(\w+)\}/g, (_, wanted: string) =>
    encodeURIComponent(parameters.find(({ name }) => name === wanted)?.example ?? "")
  )

/** A request with some parameters and a body. PATCH and DELETE also have a filter, and nothing that is written stays. */
const requestOf = (
  [, template = "", method = ""]: Description.Place,
  parameters: ReadonlyArray<Parameter>,
  key: Parameter | undefined,
  body: Body | undefined
): Exchange.Request => {
  const path = pathOf(template, parameters)
  const search = (all: ReadonlyArray<Parameter>) =>
    all
      .filter((parameter) => parameter.in === "query")
      .map(({ example, name }) => `${name}=${encodeURIComponent(example)}`)
  const own = search(parameters)
  const isFiltered = own.some((pair) => columnFilter.test(pair))
  const query = [...own, ...(key === undefined || isFiltered ? [] : search([key]))].join("&")
  const headers = Object.fromEntries(
    parameters
      .filter((parameter) => parameter.in === "header")
      .map(({ example, name }) => [name.toLowerCase(), example])
  )
  const { prefer, ...others } = headers
  return {
    method: method.toUpperCase(),
    target: query === "" ? path : `${path}?${query}`,
    headers: {
      authorization: `Bearer ${apiKey}`,
      ...(body && { "content-type": body.type }),
      ...Object.fromEntries(Object.entries(others).map(([name, value]) => [name, String(value)])),
      ...(path.startsWith("/rest/") && method !== "get"
        ? { prefer: [prefer, "tx=rollback"].filter((value) => value !== undefined).join(", ") }
        : { prefer: prefer === undefined ? undefined : String(prefer) })
    },
    body: body === undefined ? "" : typeof body.value === "string" ? body.value : JSON.stringify(body.value)
  }
}

/** The requests of an operation: one for each example of a parameter and of the body. */
const requestsOf = (place: Description.Place): ReadonlyArray<Exchange.Request> => {
  const all = parametersOf(place)
  const inPath = all.filter((parameter) => parameter.in === "path")
  // The example of a time is one of another service, whose history had begun.
  const parameters = all.filter((parameter) => parameter.in !== "path" && parameter.name !== "Accept-Datetime")
  const bodies = bodiesOf(place)
  const isWrite = ["put", "patch", "delete"].includes(place.at(-1) ?? "")
  const key = isWrite ? parameters.find((parameter) => parameter.in === "query") : undefined
  return [
    ...parameters.map((parameter) => requestOf(place, [...inPath, parameter], key, bodies[0])),
    ...(bodies.length === 0 ? [undefined] : bodies).map((body) => requestOf(place, inPath, key, body))
  ]
}

describe("every example of the OpenAPI document", () => {
  layer(demo)((it) => {
    for (const [path, item] of records(OpenApiDocument.make("contract").paths)) {
      it.effect(`${path} accepts its examples`, () =>
        Effect.gen(function* () {
          const { service } = yield* Demo
          const requests = records(item).flatMap(([method]) => requestsOf(["paths", path, method]))
          assert.isNotEmpty(requests)
          for (const request of requests) {
            const { body, status } = yield* service.handle(request)
            assert.include([200, 201, 204, 206], status, `${JSON.stringify(request)}: ${String(body)}`)
          }
        })
      )
    }

    it.effect("/api/v1/openapi.json describes the operations alone", () =>
      Effect.gen(function* () {
        const { service } = yield* Demo
        const ask = (method: string) =>
          service.handle({ method, target: "/api/v1/openapi.json", headers: {}, body: "" })
        const { body, headers, status } = yield* ask("GET")
        assert.deepStrictEqual([status, headers["Content-Type"]], [200, "application/json"])
        const { info, openapi, paths, servers } = JSON.parse(String(body)) as ReturnType<
          typeof OpenApiDocument.operations
        >
        assert.deepStrictEqual([openapi, info.version, servers[0]?.url], ["3.1.1", "1.0.0", "/api/v1"])
        const whole = Object.keys(OpenApiDocument.make("contract").paths).filter((path) => path.startsWith("/api/"))
        assert.deepStrictEqual(
          Object.keys(paths).map((path) => `/api/v1${path}`),
          whole
        )
        for (const [path, { post }] of Object.entries(paths) as ReadonlyArray<[string, { post: Description.Node }]>) {
          assert.strictEqual(post["operationId"], path.slice(1).replace("/", "."))
          assert.isNotEmpty(post["security"])
        }
        assert.strictEqual((yield* ask("POST")).status, 405)
      })
    )
  })
})
