import * as HttpClient from "@effect/platform/HttpClient"
import { assert, describe, layer } from "@effect/vitest"
import { layer as mock } from "@mfgdata/mock/testing"
import { createConfig, lintFromString } from "@redocly/openapi-core"
import { type RulesetDefinition, Spectral } from "@stoplight/spectral-core"
import { oas } from "@stoplight/spectral-rulesets"
import * as Effect from "effect/Effect"

/** The findings of Redocly's linter under its strictest rules, except those of style. */
const redocly = (source: string) =>
  Effect.promise(async () => {
    const config = await createConfig({ extends: ["recommended-strict"] })
    const problems = await lintFromString({ source, absoluteRef: "openapi.json", config })
    return problems.map(({ location: [place], message, ruleId }) => `${ruleId} ${place?.pointer}: ${message}`)
  })

/** The findings of Spectral's rules for OpenAPI, errors and warnings. */
const spectral = (source: string) =>
  Effect.promise(async () => {
    const linter = new Spectral()
    // The packages have different declarations of a ruleset.
    const extended = oas as unknown as RulesetDefinition
    // OpenAPI 3.1 allows a bearer scheme to have the scopes of a key, which this rule knows of OAuth only.
    linter.setRuleset({ extends: [[extended, "recommended"]], rules: { "oas3-operation-security-defined": "off" } })
    const problems = await linter.run(source)
    return problems.map(({ code, message, path }) => `${code} ${path.join("/")}: ${message}`)
  })

type Group = Readonly<Record<string, unknown>>

interface Document {
  readonly openapi: string
  readonly info: { readonly version: string; readonly contact?: object }
  readonly servers: ReadonlyArray<{ readonly url: string }>
  readonly paths: Readonly<Record<string, Readonly<Record<string, Group>>>>
  readonly webhooks: Group
  readonly components: Readonly<Record<string, Group>>
}

/** Resources with each kind of key, column and event. Spectral needs half a minute for all of them. */
const some = ["oauthCode", "salesOrderFavorite", "warehouseTransferLine", "webhookTable"]

const only = (group: Group, isKept: (name: string) => boolean): Group =>
  Object.fromEntries(Object.entries(group).filter(([name]) => isKept(name)))

/** The document without the other resources, and without what only they reference. */
const reduced = (source: string): string => {
  const { components, paths, webhooks, ...document }: Document = JSON.parse(source)
  const isKept = (path: string) => !path.startsWith("/rest/") || some.includes(path.slice("/rest/".length))
  const kept = { ...document, paths: only(paths, isKept), webhooks: only(webhooks, (name) => some.includes(name)) }
  const needed = new Set<string>()
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return
    for (const [name, part] of Object.entries(value)) {
      if (name !== "$ref" || typeof part !== "string" || needed.has(part)) visit(part)
      else {
        needed.add(part)
        const [, , group = "", component = ""] = part.split("/")
        visit(components[group]?.[component])
      }
    }
  }
  visit(kept)
  return JSON.stringify({
    ...kept,
    components: Object.fromEntries(
      Object.entries(components).map(([group, members]) => [
        group,
        group === "securitySchemes" ? members : only(members, (name) => needed.has(`#/components/${group}/${name}`))
      ])
    )
  })
}

const documents = ["/openapi.json", "/api/v1/openapi.json"]

describe("the OpenAPI documents", () => {
  layer(mock({ seed: { _tag: "Empty" } }))((it) => {
    const fetched = (path: string) =>
      Effect.gen(function* () {
        const client = yield* HttpClient.HttpClient
        const { headers, status, text } = yield* client.get(`http://mock.test${path}`)
        assert.deepStrictEqual<unknown>([status, headers["content-type"]], [200, "application/json"])
        return yield* text
      })

    for (const path of documents) {
      it.effect(`${path} passes the recommended-strict rules of Redocly without an error or a warning`, () =>
        Effect.gen(function* () {
          assert.deepStrictEqual(yield* redocly(yield* fetched(path)), [])
        })
      )

      it.effect(
        `${path} passes the oas rules of Spectral without an error or a warning`,
        () =>
          Effect.gen(function* () {
            const source = yield* fetched(path)
            assert.deepStrictEqual(yield* spectral(path === "/openapi.json" ? reduced(source) : source), [])
          }),
        300_000
      )
    }

    it.effect("have one server, full paths, a contact, webhooks, and words for every operation", () =>
      Effect.gen(function* () {
        const { info, openapi, paths, servers, webhooks }: Document = JSON.parse(yield* fetched("/openapi.json"))
        assert.deepStrictEqual([openapi, info.version, servers.map(({ url }) => url)], ["3.1.1", "1.0.0", ["/"]])
        assert.isDefined(info.contact)
        assert.includeMembers(Object.keys(paths), ["/rest/holiday", "/api/v1/account/getCurrentUser"])
        for (const [path, item] of Object.entries(paths)) {
          for (const [method, operation] of Object.entries(item)) {
            assert.notStrictEqual(method, "servers", path)
            for (const words of [operation["summary"], operation["description"]]) {
              assert.isAbove(String(words ?? "").length, 20, `${method} ${path}`)
            }
          }
        }
        assert.sameMembers(
          Object.keys(webhooks),
          Object.keys(paths).flatMap((path) => (path.startsWith("/rest/") ? [path.slice("/rest/".length)] : []))
        )
      })
    )

    it.effect("fail the rules with an error in them", () =>
      Effect.gen(function* () {
        const source = yield* fetched("/api/v1/openapi.json")
        assert.include(source, '"#/components/schemas/Account"')
        const wrong = source.replace('"#/components/schemas/Account"', '"#/components/schemas/Accounts"')
        assert.isNotEmpty(yield* redocly(wrong))
        assert.isNotEmpty(yield* spectral(wrong))
      })
    )
  })
})
