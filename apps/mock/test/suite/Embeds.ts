/** Tests embeds along every reference among the resources, in both directions. */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import type { Json, JsonObject } from "@mfgdata/domain/Json"
import { bounds } from "@mfgdata/domain/QueryError"
import type * as Resource from "@mfgdata/domain/Resource"
import { assert, describe, type Vitest } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Sample from "./Sample.ts"
import * as Service from "./Service.ts"

const { companyId } = Service.members.operator

/** A service with three transfers: one without lines, one with two, one with three. */
export const planted = Effect.gen(function* () {
  const service = yield* Service.Service
  const { done } = service
  yield* Sample.clear("operator")
  const { rows } = yield* done("POST", "/rest/warehouseTransfer", {
    body: ["none", "two", "three"].map((transferId, number) => ({
      transferId,
      fromLocationId: "here",
      toLocationId: "there",
      status: number === 0 ? "Draft" : "Completed",
      companyId
    }))
  })
  const [none = {}, two = {}, three = {}] = rows
  const line = (transfer: JsonObject, itemId: string, quantity: number) => ({
    transferId: transfer["id"] ?? null,
    itemId,
    quantity,
    shippedQuantity: 0,
    receivedQuantity: 0,
    fromLocationId: "here",
    toLocationId: "there",
    companyId
  })
  const lines = yield* done("POST", "/rest/warehouseTransferLine", {
    body: [
      line(two, "bolt", 5),
      line(two, "nut", 1),
      line(three, "bolt", 2),
      line(three, "nut", 4),
      line(three, "screw", 3)
    ]
  })
  return { ...service, none, two, three, lines: lines.rows }
})

const transfers = "/rest/warehouseTransfer?order=transferId&select=transferId"

/** The response to a search of transfers, which it orders by name: with none, three and two lines. */
const asked = (search: string) =>
  Effect.gen(function* () {
    const { done } = yield* planted
    return (yield* done("GET", `${transfers},${search}`)).rows
  })

const lines = (...values: ReadonlyArray<ReadonlyArray<Json>>): ReadonlyArray<Json> =>
  values.map((list) => list.map((itemId) => ({ itemId })))

const related = (rows: ReadonlyArray<JsonObject>) => rows.map((row) => row["warehouseTransferLine"] ?? null)

/** Every reference, from both ends. */
export const both: ReadonlyArray<readonly [Resource.Any, Catalogue.Relation]> = Catalogue.resources.flatMap(
  (resource) => Catalogue.relations(resource).map((relation) => [resource, relation] as const)
)

export const suite = (it: Vitest.MethodsNonLive<Service.Service>): void => {
  for (const [resource, { cardinality, column, target }] of both) {
    it.effect(`embeds ${target.resource} in ${resource.resource}`, () =>
      Effect.gen(function* () {
        const { done } = yield* Service.Service
        yield* Sample.clear("operator")
        const child = cardinality === "one" ? resource : target
        const rows = yield* Sample.plant("operator", [...Sample.ancestors(child), child])
        const found = yield* done("GET", `/rest/${resource.resource}?select=*,${target.resource}(*)`)
        const other = rows.get(target.resource)
        assert.deepStrictEqual(found.rows, [
          {
            ...rows.get(resource.resource),
            [target.resource]: cardinality === "one" ? (other ?? null) : [other ?? null]
          }
        ])
        if (cardinality === "many") return
        // The referring column is also a name of the relationship.
        const named = yield* done("GET", `/rest/${resource.resource}?select=${column}(*)`)
        assert.deepStrictEqual(named.rows, [{ [column]: other ?? null }])
      })
    )
  }

  describe("to many", () => {
    it.effect("embeds an array in each row, empty without children, ordered by key", () =>
      Effect.gen(function* () {
        const { done, lines: all } = yield* planted
        const { text } = yield* done("GET", `${transfers},warehouseTransferLine(id)`)
        assert.deepStrictEqual(
          JSON.parse(text),
          (["none", "three", "two"] as const).map((transferId) => ({
            transferId,
            warehouseTransferLine: all
              .slice(...(transferId === "none" ? [0, 0] : transferId === "two" ? [0, 2] : [2]))
              .map(({ id }) => ({ id }))
          }))
        )
      })
    )

    const cases: ReadonlyArray<readonly [what: string, search: string, answer: ReadonlyArray<Json>]> = [
      [
        "orders within each row",
        "warehouseTransferLine(itemId)&warehouseTransferLine.order=quantity.desc",
        lines([], ["nut", "screw", "bolt"], ["bolt", "nut"])
      ],
      [
        "filters within each row and keeps the rows",
        "warehouseTransferLine(itemId)&warehouseTransferLine.itemId=eq.bolt",
        lines([], ["bolt"], ["bolt"])
      ],
      [
        "takes logic trees",
        "warehouseTransferLine(itemId)&warehouseTransferLine.or=(quantity.eq.4,and(itemId.eq.bolt,quantity.gt.4))",
        lines([], ["nut"], ["bolt"])
      ],
      [
        "limits and skips within each row",
        "warehouseTransferLine(itemId)&warehouseTransferLine.order=quantity&warehouseTransferLine.limit=1&warehouseTransferLine.offset=1",
        lines([], ["screw"], ["bolt"])
      ],
      [
        "leaves out rows without one when it is inner",
        "warehouseTransferLine!inner(itemId)&warehouseTransferLine.itemId=eq.screw",
        lines(["screw"])
      ],
      [
        "counts the page of an inner embed",
        "warehouseTransferLine!inner(itemId)&warehouseTransferLine.order=quantity&warehouseTransferLine.offset=2",
        lines(["nut"])
      ],
      [
        "is called by the constraint",
        "warehouseTransferLine!warehouseTransferLine_transferId_fkey(itemId)&transferId=eq.two&warehouseTransferLine.order=itemId",
        lines(["bolt", "nut"])
      ],
      [
        "is called by the column",
        "warehouseTransferLine!transferId(itemId)&transferId=eq.two&warehouseTransferLine.order=itemId",
        lines(["bolt", "nut"])
      ]
    ]
    for (const [what, search, answer] of cases) {
      it.effect(what, () =>
        Effect.map(asked(search), (rows) => assert.deepStrictEqual<ReadonlyArray<Json>>(related(rows), answer))
      )
    }

    it.effect("has no ETag, because embedded rows change without the row", () =>
      Effect.gen(function* () {
        const { done, two } = yield* planted
        const at = `/rest/warehouseTransfer?id=eq.${String(two["id"])}`
        assert.isDefined((yield* done("GET", at)).headers["etag"])
        const embedding = yield* done("GET", `${at}&select=*,warehouseTransferLine(id)`)
        assert.isUndefined(embedding.headers["etag"])
        assert.lengthOf(Object.keys(embedding.row["warehouseTransferLine"] ?? {}), 2)
      })
    )

    it.effect("can be renamed and addressed by its alias, also several of one relationship", () =>
      Effect.gen(function* () {
        const rows = yield* asked(
          "bolts:warehouseTransferLine(quantity),nuts:warehouseTransferLine(q:quantity::text)&bolts.itemId=eq.bolt&nuts.itemId=eq.nut"
        )
        assert.deepStrictEqual(rows, [
          { transferId: "none", bolts: [], nuts: [] },
          { transferId: "three", bolts: [{ quantity: 2 }], nuts: [{ q: "4" }] },
          { transferId: "two", bolts: [{ quantity: 5 }], nuts: [{ q: "1" }] }
        ])
      })
    )

    it.effect("finds rows with and without an embedded row", () =>
      Effect.gen(function* () {
        const { done } = yield* planted
        const names = (search: string) =>
          Effect.map(done("GET", `${transfers},warehouseTransferLine()&${search}`), ({ rows }) =>
            rows.map(({ transferId }) => transferId)
          )
        assert.deepStrictEqual(yield* names("warehouseTransferLine=is.null"), ["none"])
        assert.deepStrictEqual(yield* names("warehouseTransferLine=not.is.null"), ["three", "two"])
        assert.deepStrictEqual(yield* names("warehouseTransferLine=is.not_null"), ["three", "two"])
        const screws = "warehouseTransferLine.itemId=eq.screw"
        assert.deepStrictEqual(yield* names(`warehouseTransferLine=is.null&${screws}`), ["none", "two"])
        const either = "or=(transferId.eq.two,warehouseTransferLine.not.is.null)"
        assert.deepStrictEqual(yield* names(`${either}&${screws}`), ["three", "two"])
        assert.deepStrictEqual(yield* names(`not.${either}&${screws}`), ["none"])
      })
    )

    it.effect("spreads into arrays of equal order", () =>
      Effect.gen(function* () {
        const rows = yield* asked("...warehouseTransferLine(itemId,quantity)&warehouseTransferLine.order=quantity")
        assert.deepStrictEqual(rows, [
          { transferId: "none", itemId: [], quantity: [] },
          { transferId: "three", itemId: ["bolt", "screw", "nut"], quantity: [2, 3, 4] },
          { transferId: "two", itemId: ["nut", "bolt"], quantity: [1, 5] }
        ])
      })
    )

    it.effect("counts and pages the rows, not the embedded ones", () =>
      Effect.gen(function* () {
        const { ask } = yield* planted
        const search = `${transfers},warehouseTransferLine!inner(itemId)&limit=1&offset=1`
        const reply = yield* ask("GET", search, { headers: { prefer: "count=exact" } })
        assert.deepStrictEqual([reply.status, reply.headers["content-range"]], [206, "1-1/2"])
        assert.deepStrictEqual(
          reply.rows.map(({ transferId }) => transferId),
          ["two"]
        )
      })
    )
  })

  describe("to one", () => {
    const lines = "/rest/warehouseTransferLine?order=itemId,quantity&select=itemId"

    it.effect("embeds an object, or null if it is filtered out", () =>
      Effect.gen(function* () {
        const { done } = yield* planted
        const { rows } = yield* done(
          "GET",
          `${lines},transfer:warehouseTransfer(transferId)&transfer.transferId=eq.two`
        )
        assert.deepStrictEqual(rows, [
          { itemId: "bolt", transfer: null },
          { itemId: "bolt", transfer: { transferId: "two" } },
          { itemId: "nut", transfer: { transferId: "two" } },
          { itemId: "nut", transfer: null },
          { itemId: "screw", transfer: null }
        ])
        const inner = yield* done(
          "GET",
          `${lines},transfer:warehouseTransfer!inner(transferId)&transfer.transferId=eq.two&limit=1`
        )
        assert.deepStrictEqual(inner.rows, [{ itemId: "bolt", transfer: { transferId: "two" } }])
      })
    )

    it.effect("embeds null without a reference", () =>
      Effect.gen(function* () {
        const { done } = yield* Service.Service
        yield* Sample.clear("operator")
        const body = { paymentComplete: false, companyId }
        yield* done("POST", "/rest/salesOrderPayment", { body })
        const { rows } = yield* done(
          "GET",
          "/rest/salesOrderPayment?select=paymentTerm(name),...paymentTermId(daysDue)"
        )
        assert.deepStrictEqual(rows, [{ paymentTerm: null, daysDue: null }])
        const none = yield* done("GET", "/rest/salesOrderPayment?select=id,paymentTerm()&paymentTerm=is.null")
        assert.lengthOf(none.rows, 1)
        const some = yield* done("GET", "/rest/salesOrderPayment?select=id,paymentTerm!inner()")
        assert.deepStrictEqual(some.rows, [])
      })
    )

    it.effect("spreads its columns into the row", () =>
      Effect.gen(function* () {
        const { done } = yield* planted
        const { rows } = yield* done("GET", `${lines},...warehouseTransfer(number:transferId,status)&limit=2`)
        assert.deepStrictEqual(rows, [
          { itemId: "bolt", number: "three", status: "Completed" },
          { itemId: "bolt", number: "two", status: "Completed" }
        ])
        const whole = yield* done("GET", `${lines},...warehouseTransfer(*)&limit=1`)
        assert.deepInclude(whole.rows[0], { itemId: "bolt", transferId: "three", notes: null })
      })
    )

    it.effect("orders the rows", () =>
      Effect.gen(function* () {
        const { done } = yield* planted
        const names = (order: string, more = "") =>
          Effect.map(
            done("GET", `/rest/warehouseTransferLine?select=q:quantity,t:warehouseTransfer()&order=${order}${more}`),
            ({ rows }) => rows.map(({ q }) => q)
          )
        assert.deepStrictEqual(yield* names("t(transferId).desc,quantity"), [1, 5, 2, 3, 4])
        assert.deepStrictEqual(yield* names("t(transferId),quantity.desc", "&limit=2"), [4, 3])
        // An embed that is filtered out orders as null.
        assert.deepStrictEqual(yield* names("t(transferId),quantity", "&t.transferId=eq.two"), [1, 5, 2, 3, 4])
      })
    )
  })

  it.effect("can be nested to the maximum depth, with filters at every level", () =>
    Effect.gen(function* () {
      const { done } = yield* planted
      const names = ["warehouseTransferLine", "warehouseTransfer"]
      let select = "id"
      for (let depth = bounds.embeds; depth > 0; depth--) select = `id,${names[(depth - 1) % 2]}!inner(${select})`
      let way = ""
      const filters = Array.from({ length: bounds.embeds }, (_, depth) => {
        way += `${names[depth % 2]}.`
        return depth % 2 === 0
          ? `&${way}order=quantity&${way}itemId=eq.bolt&${way}limit=1`
          : `&${way}transferId=neq.none`
      })
      const { rows } = yield* done("GET", `/rest/warehouseTransfer?select=${select}${filters.join("")}`)
      assert.lengthOf(rows, 2)
      let inner: Json | undefined = rows[0]
      for (let depth = 0; depth < bounds.embeds; depth++) {
        const value: Json | undefined = (inner as JsonObject)[names[depth % 2] ?? ""]
        inner = Array.isArray(value) ? (value[0] as Json) : value
      }
      assert.isString((inner as JsonObject)["id"])
    })
  )

  describe("writes", () => {
    const headers = { prefer: "return=representation", "content-profile": "public" }

    it.effect("return the embeds of their rows", () =>
      Effect.gen(function* () {
        const { ask, done, three, two } = yield* planted
        const select = "select=itemId,warehouseTransfer(transferId)"
        const line = {
          transferId: two["id"] ?? null,
          itemId: "washer",
          quantity: 1,
          shippedQuantity: 0,
          receivedQuantity: 0,
          fromLocationId: "here",
          toLocationId: "there",
          companyId
        }
        const at = "/rest/warehouseTransferLine"
        const created = yield* done("POST", `${at}?${select}`, { headers, body: [line, { ...line, itemId: "pin" }] })
        assert.deepStrictEqual(created.rows, [
          { itemId: "washer", warehouseTransfer: { transferId: "two" } },
          { itemId: "pin", warehouseTransfer: { transferId: "two" } }
        ])
        const changed = yield* done("PATCH", `${at}?itemId=in.(washer,pin)&order=itemId&${select}`, {
          headers,
          body: { transferId: three["id"] }
        })
        assert.deepStrictEqual(changed.rows, [
          { itemId: "pin", warehouseTransfer: { transferId: "three" } },
          { itemId: "washer", warehouseTransfer: { transferId: "three" } }
        ])
        const inner = yield* done(
          "PATCH",
          `${at}?itemId=in.(washer,bolt)&${select.replace("(", "!inner(")}&warehouseTransfer.transferId=eq.two`,
          {
            headers: { ...headers, prefer: "return=representation, count=exact" },
            body: { notes: "seen" }
          }
        )
        // Every row was updated; those without the inner embed are not returned.
        assert.deepStrictEqual(inner.rows, [{ itemId: "bolt", warehouseTransfer: { transferId: "two" } }])
        assert.lengthOf((yield* done("GET", `${at}?notes=eq.seen`)).rows, 3)
        const gone = yield* done(
          "DELETE",
          `/rest/warehouseTransfer?id=eq.${String(two["id"])}&select=transferId,warehouseTransferLine(itemId)`,
          {
            headers
          }
        )
        assert.deepStrictEqual(gone.rows, [
          { transferId: "two", warehouseTransferLine: [{ itemId: "bolt" }, { itemId: "nut" }] }
        ])
        assert.lengthOf((yield* ask("GET", `${at}?transferId=eq.${String(two["id"])}&select=id`)).rows, 2)
        const whole = yield* done(
          "PUT",
          `/rest/warehouseTransfer?id=eq.${String(three["id"])}&select=status,warehouseTransferLine(itemId)&warehouseTransferLine.limit=1`,
          {
            headers,
            body: { ...three, createdBy: undefined, createdAt: undefined, status: "Cancelled" }
          }
        )
        assert.deepStrictEqual(whole.rows, [{ status: "Cancelled", warehouseTransferLine: [{ itemId: "bolt" }] }])
      })
    )

    it.effect("refuse to filter their rows by an embed", () =>
      Effect.gen(function* () {
        const { ask } = yield* planted
        for (const method of ["PATCH", "DELETE"]) {
          const target = "/rest/warehouseTransfer?select=id,warehouseTransferLine()&warehouseTransferLine=is.null"
          const reply = yield* ask(method, target, method === "PATCH" ? { body: { notes: "x" } } : {})
          assert.deepStrictEqual(reply.verdict, [400, "42703"])
        }
      })
    )
  })
}
