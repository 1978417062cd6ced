/**
 * Lists hostile requests that read, each of at most 8 KB. One file, because it is one table.
 */
import { type Facts, type HostileRequest, list } from "./HostileRequest.ts"

const encode = encodeURIComponent

const alternating = ["warehouseTransferLine", "warehouseTransfer"]

/** Embeds transfers in lines and lines in transfers, so that each level multiplies the rows of the last one. */
const nested = (levels: number, level = 0): string =>
  level === levels ? "id" : `id,${alternating[level % 2]}(${nested(levels, level + 1)})`

const lines = (query: string) => () => `/rest/warehouseTransferLine?${query}`
const transfers = (query: string) => () => `/rest/warehouseTransfer?${query}`

/** Filters the long text. */
const onText = (condition: string) => () => `/rest/warehouseTransfer?select=id&notes=${encode(condition)}`

const embeds: ReadonlyArray<HostileRequest> = [
  ...[2, 4, 6, 8].map((levels) => ({
    family: "nested embeds",
    name: `embed-${levels}`,
    target: ({ transfer }: Facts) => `/rest/warehouseTransfer?id=eq.${transfer}&select=${nested(levels)}`
  })),
  { family: "nested embeds", name: "embed-all", target: transfers(`select=${nested(3)}`) },
  {
    family: "wide embeds",
    name: "embed-wide",
    target: transfers(`select=id,${list(30, (index) => `e${index}:warehouseTransferLine(*)`)}`)
  },
  {
    family: "wide embeds",
    name: "embed-filtered",
    target: transfers(
      `select=id,warehouseTransferLine(id)&warehouseTransferLine.notes=ilike.*x*&warehouseTransferLine.order=notes.desc`
    )
  }
]

const selections: ReadonlyArray<HostileRequest> = [
  {
    family: "repeated columns",
    name: "column-200",
    target: transfers(`select=${list(200, (index) => `c${index}:notes`)}`)
  },
  {
    family: "repeated columns",
    name: "column-200-lines",
    target: lines(`limit=10000&select=${list(200, (index) => `c${index}:notes`)}`)
  },
  {
    family: "casts",
    name: "cast-text",
    target: lines(`limit=10000&select=${list(60, (index) => `c${index}:customFields::text`)}`)
  },
  {
    family: "JSON paths",
    name: "path-deep",
    target: transfers(`select=id,x:customFields${"->a".repeat(500)}&order=customFields${"->a".repeat(500)}`)
  },
  {
    family: "JSON paths",
    name: "path-wide",
    target: transfers(`select=${list(200, (index) => `c${index}:customFields->list->${index}`)}`)
  },
  {
    family: "long select",
    name: "select-unknown",
    target: lines(`select=${list(650, (index) => `quantitx${index % 10}`)}`)
  },
  {
    family: "long select",
    name: "name-unknown",
    target: lines(`${"warehouseTransferLin".repeat(380)}=eq.1`),
    times: 20
  },
  {
    family: "statement texts",
    name: "texts",
    target: ({ word }) => `/rest/warehouseTransferLine?limit=1&select=${word()}:id,${word()}:notes`,
    times: 50
  }
]

const lists: ReadonlyArray<HostileRequest> = [
  {
    family: "counts",
    name: "count-all",
    target: lines("select=id&limit=1"),
    headers: () => ({ Prefer: "count=exact" })
  },
  {
    family: "counts",
    name: "count-filtered",
    target: lines("select=id&limit=1&notes=ilike.*a*b*c*d*"),
    headers: () => ({ Prefer: "count=exact" })
  },
  { family: "offsets", name: "offset-deep", target: lines("select=id&offset=19990&limit=10&order=notes.desc") },
  { family: "orders", name: "order-unindexed", target: lines("order=notes,quantity.desc,itemId&limit=10000") },
  { family: "orders", name: "order-path", target: lines("order=customFields->>k.desc,customFields->n&limit=10000") },
  { family: "whole tables", name: "all", target: lines("limit=10000") },
  { family: "whole tables", name: "all-unread", target: lines("limit=10000"), unread: 16 },
  {
    family: "CSV",
    name: "csv",
    target: lines("limit=10000"),
    headers: () => ({ Accept: "text/csv" })
  },
  {
    family: "Range",
    name: "range",
    target: lines(""),
    headers: () => ({ Range: "0-9999", "Range-Unit": "items", Prefer: "count=exact" })
  },
  {
    family: "HEAD",
    name: "head",
    method: "HEAD",
    target: lines("limit=10000"),
    headers: () => ({ Prefer: "count=exact" })
  },
  {
    family: "aggregates",
    name: "aggregates",
    target: lines(`select=notes,quantity.sum(),quantity.avg(),id.count(),notes.max()`)
  },
  {
    family: "conditional headers",
    name: "if-none-match",
    target: ({ transfer }) => `/rest/warehouseTransfer?id=eq.${transfer}`,
    headers: () => ({ "If-None-Match": list(700, (index) => `"tag${index}"`) }),
    times: 20
  }
]

const filters: ReadonlyArray<HostileRequest> = [
  { family: "match", name: "match-nested", target: onText("match.((a+)+)+b$") },
  { family: "match", name: "match-alternation", target: onText("imatch.(a|aa|aaa|b?)+c$") },
  { family: "match", name: "match-long", target: onText(`imatch.${"(a?b?|c*)".repeat(400)}z`) },
  { family: "match", name: "match-bounds", target: onText("match.(a{1,200}){1,200}b") },
  { family: "like", name: "like-stars", target: onText(`like.${"*a".repeat(600)}*~`) },
  { family: "like", name: "ilike-stars", target: onText(`ilike.${"*a_".repeat(400)}*~`) },
  {
    family: "like",
    name: "ilike-any",
    target: onText(`ilike(any).{${list(150, (index) => `*a*a*a${index}~*`)}}`)
  },
  {
    family: "full text",
    name: "fts-words",
    target: onText(`fts.${Array.from({ length: 600 }, (_, index) => `w${index}`).join("|")}`)
  },
  { family: "full text", name: "phrase", target: onText(`phfts.${"w1 w2 ".repeat(500)}`) },
  { family: "full text", name: "web-words", target: onText(`wfts.${"w1 or -w2 ".repeat(300)}`) },
  {
    family: "containment",
    name: "contains",
    target: transfers(`select=id&customFields=${encode(`cs.{"list":[${list(190, String)}]}`)}`)
  },
  {
    family: "containment",
    name: "contains-objects",
    target: transfers(`select=id&customFields=${encode(`cs.{"list":[${list(60, (index) => `{"a":${index}}`)}]}`)}`)
  },
  {
    family: "containment",
    name: "contained",
    target: lines(`select=id&customFields=${encode(`cd.{"list":[${list(190, String)}]}`)}`)
  },
  {
    family: "containment",
    name: "overlaps",
    target: transfers(`select=id&and=(${list(12, () => `tags.ov.{${list(100, (index) => `t${index}`)}}`)})`)
  },
  { family: "in-lists", name: "in-list", target: lines(`select=id&notes=in.(${list(1100, (index) => `x${index}`)})`) },
  {
    family: "in-lists",
    name: "not-in-list",
    target: lines(`select=id&itemId=not.in.(${list(1100, (index) => `x${index}`)})`)
  },
  {
    family: "logic trees",
    name: "or-200",
    target: transfers(`select=id&or=(${list(190, (index) => `notes.ilike.*a*a${index}*~*`)})`)
  },
  {
    family: "logic trees",
    name: "tree-deep",
    target: lines(`select=id&or=${"(and".repeat(30)}(notes.ilike.*q*,notes.match.x+y)${")".repeat(30)}`)
  },
  {
    family: "logic trees",
    name: "tree-bombed",
    target: lines(`or=${"(and".repeat(1500)}`),
    times: 20
  }
]

const others: ReadonlyArray<HostileRequest> = [
  {
    family: "headers",
    name: "prefer-8k",
    target: lines("limit=1"),
    headers: () => ({ Prefer: list(550, (index) => `count=exact${index}`) }),
    times: 20
  },
  {
    family: "headers",
    name: "accept-8k",
    target: lines("limit=1"),
    headers: () => ({ Accept: list(300, (index) => `application/x${index};q=0.${index}`) }),
    times: 20
  },
  { family: "documents", name: "docs", target: () => "/docs", key: "none", times: 20 },
  { family: "documents", name: "openapi", target: () => "/openapi.json", key: "none", times: 20 },
  { family: "documents", name: "root", target: () => "/rest/", times: 10 },
  {
    family: "keys",
    name: "key-unknown",
    target: lines("limit=1"),
    headers: ({ word }) => ({ Authorization: `Bearer mfg_${word()}_${"x".repeat(2000)}` }),
    key: "unknown",
    times: 100
  }
]

/** Every hostile read. */
export const reads: ReadonlyArray<HostileRequest> = [...embeds, ...selections, ...lists, ...filters, ...others]
