/**
 * Tests that one company cannot learn of or change another company's rows: every request about a foreign row is
 * answered as one about a missing row. The same holds between users where rows belong to a user.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Column from "@mfgdata/domain/Column"
import type { JsonObject } from "@mfgdata/domain/Json"
import type * as Resource from "@mfgdata/domain/Resource"
import { assert, type Vitest } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Sample from "./Sample.ts"
import * as Service from "./Service.ts"
import * as Measurement from "../Measurement.ts"
import { reads, conditions, pages, verbs } from "./CompanyProbes.ts"

type Attacker = "rival" | "colleague"

/** Another text of the same length. */
const twin = (text: string): string => text.slice(0, -1) + (text.endsWith("x") ? "y" : "x")

/**
 * A response without the parts that do not depend on a row: its times, generated ids and tags, and the values of the
 * request, which some refusals repeat.
 */
const seen = ({ headers, status, text }: Service.Reply, asked: ReadonlyArray<string>) => {
  // The cost depends on the text of a pattern, and on the time.
  const { "content-location": _, "x-request-id": __, date: ___, "mfg-cost": ____, etag, ...others } = headers
  const masked = (text: string) =>
    asked
      .flatMap((value) => [value, encodeURIComponent(value)])
      .reduce((text, value) => text.replaceAll(value, "ASKED"), text)
      .replaceAll(/(?<=;ms=)[\d.]+/g, "TIME")
      .replaceAll(/\b[0-9a-z]{20}\b/g, "made")
  return {
    status,
    headers: masked(JSON.stringify(others)),
    isTagged: etag !== undefined,
    body: masked(text)
  }
}

/** The text of a full-text search, which a refusal can repeat. */
const searched = (target: string): ReadonlyArray<string> =>
  /(?<=fts\.).+$/.exec(decodeURIComponent(target))?.slice(0, 1) ?? []

/** Sends each probe about a row of the victim and about a missing row, and expects the same responses. */
const attack = (resource: Resource.Any, attacker: Attacker) =>
  Effect.gen(function* () {
    const { ask, done } = yield* Service.Service
    const ancestors = Sample.ancestors(resource)
    yield* Sample.clear("rival")
    yield* Sample.clear("operator")
    const theirs = yield* Sample.plant("operator", [...ancestors, resource])
    const own = yield* Sample.plant(attacker, attacker === "rival" ? ancestors : [], 2)
    const victims = Effect.forEach([...ancestors, resource], (resource) =>
      Effect.map(done("GET", Sample.address(resource, theirs.get(resource.resource))), ({ headers, text }) => ({
        text,
        revision: headers["etag"]
      }))
    )
    const before = yield* victims

    const { companyId } = Service.members[attacker]
    const parents = attacker === "rival" ? own : theirs
    const body = Sample.body(resource, 3, { companyId, parents })
    const row = theirs.get(resource.resource) ?? {}
    const none: JsonObject = Object.fromEntries(
      Column.fromResource(resource).map((column) => {
        const value = row[column.name] ?? null
        if (typeof value === "string" && column.type === "text") return [column.name, twin(value)]
        return [column.name, value === null ? null : Sample.value(column, 8)]
      })
    )
    const id = Sample.keyOf(resource, row)
    const noId = Sample.keyOf(resource, none)
    const { [resource.key]: _, ...change } = body
    const pairs = (row: JsonObject, tag: string) => [
      ...reads(resource, row),
      ...verbs(resource, row, body),
      ...pages(resource, row),
      ...conditions(Sample.address(resource, row).slice("/rest/".length), tag, change)
    ]
    const asked = pairs(none, '"1"')
    let count = 0
    const tag = before.at(-1)?.revision ?? ""
    assert.match(tag, /^"[^"]+"$/)
    for (const [index, probe] of pairs(row, tag).entries()) {
      const other = asked[index]
      assert.isDefined(other)
      const answers = []
      for (const [{ method, target, ...asking }, hidden] of [
        [probe, id],
        [other, noId]
      ] as const) {
        const reply = yield* ask(method, `/rest/${target}`, { ...asking, as: attacker })
        answers.push(seen(reply, [hidden, ...searched(target)]))
        // The attacker's own new rows are removed before the next request.
        if (method === "PUT" || method === "POST") yield* Sample.clear(attacker, [resource])
      }
      assert.deepStrictEqual(answers[0], answers[1], `${probe.method} ${probe.target}`)
      assert.isBelow(answers[0]?.status ?? 500, 500)
      count += 1
    }

    assert.deepStrictEqual(yield* victims, before)
    return count
  })

/** Refers to a row of the victim and to a missing row, and expects the same responses. */
const refer = ({ child, column, field, parent }: Catalogue.Reference, code?: string) =>
  Effect.gen(function* () {
    const { ask, done } = yield* Service.Service
    yield* Sample.clear("rival")
    yield* Sample.clear("operator")
    const theirs = yield* Sample.plant("operator", Sample.ancestors(child))
    const parents = yield* Sample.plant("rival", Sample.ancestors(child), 2)
    const { companyId } = Service.members.rival
    const body = (number: number) => Sample.body(child, number, { companyId, parents })
    const path = `/rest/${child.resource}`
    const value = String(theirs.get(parent.resource)?.[field])
    const { row: mine } = yield* done("POST", path, { as: "rival", body: body(4) })
    for (const [method, target] of [
      ["POST", path],
      ["PATCH", Sample.address(child, mine)]
    ] as const) {
      const answers = []
      for (const foreign of [value, `${value}0`]) {
        const select = method === "POST" ? "?" : "&"
        const reply = yield* ask(method, `${target}${select}select=${column},${parent.resource}(${field})`, {
          as: "rival",
          body: method === "POST" ? { ...body(3), [column]: foreign } : { [column]: foreign }
        })
        assert.strictEqual(reply.verdict[1], code)
        if (code === undefined) assert.deepStrictEqual(reply.row, { [column]: foreign, [parent.resource]: null })
        answers.push(seen(reply, [foreign]))
      }
      assert.deepStrictEqual(answers[0], answers[1], `${method} ${target}`)
    }
  })

/** A company that exists here, and one that does not. */
const strangers = ["acme", "nowhere"]

/** Names a known and an unknown company in every place of a request, and expects the same responses. */
const nameStrangers = (expected: ReadonlyArray<readonly [status: number, code: string | undefined]>) =>
  Effect.gen(function* () {
    const { ask } = yield* Service.Service
    yield* Sample.clear("rival")
    for (const resource of Catalogue.resources) {
      const column = Column.byName(resource).get("companyId")
      if (column === undefined || column.write === "never") continue
      const parents = yield* Sample.plant("rival", [...Sample.ancestors(resource), resource])
      const path = `/rest/${resource.resource}`
      const address = Sample.address(resource, parents.get(resource.resource))
      const answers = []
      for (const companyId of strangers) {
        const body = Sample.body(resource, 2, { companyId, parents })
        const replies = [
          yield* ask("POST", path, { as: "rival", body, headers: { prefer: "tx=rollback" } }),
          yield* ask("PATCH", address, { as: "rival", body: { companyId }, headers: { prefer: "tx=rollback" } }),
          yield* ask("GET", `${path}?companyId=eq.${companyId}`, { as: "rival", headers: { prefer: "count=exact" } })
        ]
        assert.deepStrictEqual<unknown>(
          replies.map(({ verdict }) => verdict),
          expected
        )
        answers.push(replies.map((reply) => seen(reply, [companyId])))
      }
      assert.deepStrictEqual(answers[0], answers[1], resource.resource)
      yield* Sample.clear("rival")
    }
  })

/** Attacks every resource. */
/** The number of requests of each kind whose median is compared, and the factor by which the medians may differ. */
const timed = { requests: 150, factor: 2.5 }

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0

export const suite = (it: Vitest.MethodsNonLive<Service.Service>): void => {
  it.effect.each([
    ["GET", {}, undefined],
    ["GET", { "if-none-match": '"0"' }, undefined],
    ["PATCH", {}, { name: "another" }],
    ["DELETE", {}, undefined]
  ] as const)("takes as long for a large foreign row as for a missing one: %s %j", ([method, headers, body]) =>
    Effect.gen(function* () {
      const { ask, done } = yield* Service.Service
      yield* Sample.clear("operator")
      const { companyId } = Service.members.operator
      const large = { name: "x".repeat(500_000), date: "2026-05-01", companyId }
      const id = String((yield* done("POST", "/rest/holiday", { body: large })).row["id"])
      const keys = Object.entries({ foreign: id, missing: twin(id) })
      const factor = Effect.gen(function* () {
        const times: { readonly [kind: string]: Array<number> } = { foreign: [], missing: [] }
        // Both kinds alternate, so that other work of the machine meets both.
        for (let index = 0; index < timed.requests; index += 1) {
          for (const [kind, key] of index % 2 === 0 ? keys : keys.toReversed()) {
            const { millis, result } = yield* Measurement.timed(
              ask(method, `/rest/holiday?id=eq.${key}`, { as: "rival", headers, body })
            )
            times[kind]?.push(millis)
            assert.isAtLeast(result.status, 200)
          }
        }
        const medians = Object.values(times).map(median)
        return Math.max(...medians) / Math.min(...medians)
      })
      yield* Measurement.isBelow(timed.factor, factor)
      yield* Sample.clear("operator")
    })
  )

  for (const resource of Catalogue.resources) {
    it.effect(`answers a request about a foreign ${resource.resource} as about a missing one`, () =>
      Effect.map(attack(resource, "rival"), (count) => assert.isAbove(count, 100))
    )
  }
  const ofUsers = Catalogue.resources.filter((resource: Resource.Any) => resource.rules.owner === "user")
  for (const resource of ofUsers) {
    it.effect(`answers a request about a colleague's ${resource.resource} as about a missing one`, () =>
      Effect.map(attack(resource, "colleague"), (count) => assert.isAbove(count, 100))
    )
  }

  it.effect("stores the companyId of another company as it is given, whether the company exists or not", () =>
    nameStrangers([
      [201, undefined],
      [200, undefined],
      [200, undefined]
    ])
  )

  it.effect("answers an Idempotency-Key that another company has used as a new one", () =>
    Effect.gen(function* () {
      const { ask, done } = yield* Service.Service
      const { companyId } = Service.members.rival
      const body = { name: "Founding day", date: "2026-05-01", companyId }
      const asked = (as: Service.Who, name: string) => ({
        as,
        body: { ...body, name },
        headers: { "idempotency-key": "shared" }
      })
      const theirs = yield* done("POST", "/rest/holiday", asked("operator", "Founding day"))
      for (const name of ["Founding day", "Another day"]) {
        const reply = yield* ask("POST", "/rest/holiday", asked("rival", name))
        assert.strictEqual(reply.status, name === "Founding day" ? 201 : 422)
        assert.isUndefined(reply.headers["idempotency-replayed"])
        assert.notInclude(reply.text, String(theirs.row["id"]))
      }
      yield* Sample.clear("rival")
      yield* Sample.clear("operator")
    })
  )

  for (const reference of Catalogue.references) {
    it.effect(
      `treats the reference of a ${reference.child.resource} to a foreign ${reference.parent.resource} as one to a missing row`,
      () => refer(reference)
    )
  }
}

/** Unique keys and references of the public rules must not reveal foreign rows. */
export const publicSuite = (it: Vitest.MethodsNonLive<Service.Service>): void => {
  for (const reference of Catalogue.references) {
    it.effect(`refuses the reference of a ${reference.child.resource} to a foreign ${reference.parent.resource}`, () =>
      refer(reference, "23503")
    )
  }

  it.effect("refuses the companyId of another company, whether the company exists or not", () =>
    nameStrangers([
      [403, "42501"],
      [403, "42501"],
      [200, undefined]
    ])
  )

  it.effect("refuses a body that names another company, with a hint that names the key's own company only", () =>
    Effect.gen(function* () {
      const { ask } = yield* Service.Service
      yield* Sample.clear("rival")
      const parents = yield* Sample.plant("rival")
      for (const resource of Catalogue.resources) {
        const column = Column.byName(resource).get("companyId")
        if (column === undefined || column.write === "never") continue
        const body = Sample.body(resource, 2, { companyId: "acme", parents })
        const address = Sample.address(resource, parents.get(resource.resource))
        for (const reply of [
          yield* ask("POST", `/rest/${resource.resource}`, { as: "rival", body }),
          yield* ask("PATCH", address, { as: "rival", body: { companyId: "acme" } })
        ]) {
          assert.deepStrictEqual(reply.verdict, [403, "42501"])
          assert.strictEqual(reply.row["hint"], "The API key belongs to the company rival.")
        }
        assert.strictEqual((yield* ask("PATCH", address, { as: "rival", body: { companyId: "rival" } })).status, 200)
      }
    })
  )

  it.effect("keeps the same rows for two companies, and deletes those of one only", () =>
    Effect.gen(function* () {
      const { done } = yield* Service.Service
      yield* Sample.clear("rival")
      yield* Sample.clear("operator")
      yield* Sample.plant("operator")
      const rows = Effect.forEach(Catalogue.resources, ({ resource }) => done("GET", `/rest/${resource}`))
      const before = (yield* rows).map(({ text }) => text)
      yield* Sample.plant("rival")
      yield* Sample.clear("rival")
      assert.deepStrictEqual(
        (yield* rows).map(({ text }) => text),
        before
      )
      yield* Sample.clear("operator")
    })
  )
}
