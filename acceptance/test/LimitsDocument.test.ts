/**
 * Checks that the tables of docs/limits.md are generated from the description that the service serves. `--update` writes
 * them.
 */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as BuiltService from "../src/BuiltService.ts"
import * as MarkdownTable from "../src/MarkdownTable.ts"
import * as Program from "../src/Program.ts"

const path = join(Program.root, "docs/limits.md")

const update = "npx vitest run --project acceptance acceptance/test/LimitsDocument.test.ts --update"

/** An element of `x-limits`. */
interface Limit {
  readonly group: string
  readonly limit: string
  readonly value: string
  readonly flag?: string
  readonly status?: number
  readonly code?: string
  readonly instead: string
}

/** The limits that a service describes. */
const describedBy = (origin: string): Effect.Effect<ReadonlyArray<Limit>> =>
  Effect.promise(async () => {
    const description: unknown = await (await fetch(`${origin}/openapi.json`)).json()
    // The extension that the service under test describes.
    return (description as { readonly "x-limits": ReadonlyArray<Limit> })["x-limits"]
  })

const cells = ({ code, flag, instead, limit, status, value }: Limit): ReadonlyArray<string> => [
  limit,
  flag === undefined ? value : `${value} (\`${flag}\`)`,
  status === undefined ? "none" : `${status} \`${code}\``,
  instead
]

const section = (group: string, limits: ReadonlyArray<Limit>): string =>
  `## ${group}\n\n${MarkdownTable.make(["Limit", "Value", "Refusal", "Instead"], limits.map(cells))}\n`

const repeat = (count: number, element: string): string => Array.from({ length: count }, () => element).join(",")

/** Requests past a limit, by its subject. */
const beyond: { readonly [limit: string]: RequestInit & { readonly target: string } } = {
  "size of the headers": { target: "/rest/holiday", headers: { "X-Long": "x".repeat(17 * 1024) } },
  "size of the URL": { target: `/rest/holiday?name=eq.${"x".repeat(9 * 1024)}` },
  "rows, bytes and webhooks of a company, in the parts `rows`, `bytes` and `webhooks`": {
    target: "/rest/holiday",
    method: "POST",
    body: JSON.stringify({ name: "x".repeat(2048), date: "2026-05-01", companyId: "demo" })
  },
  "length of an `Idempotency-Key`": {
    target: "/rest/holiday",
    method: "POST",
    body: "{}",
    headers: { "Idempotency-Key": "x".repeat(256) }
  },
  "size of a body": { target: "/rest/holiday", method: "POST", body: "x".repeat(6 * 1024 * 1024) },
  "size of the body of an operation, of a user or an administrator": {
    target: "/api/v1/account/getAccount",
    method: "POST",
    body: JSON.stringify({ text: "x".repeat(256 * 1024) })
  },
  "characters of a text as it is sent, or of a form": {
    target: "/rest/holiday",
    method: "POST",
    body: JSON.stringify({ name: "x".repeat(4 * 1024 * 1024 + 1) })
  },
  "rows that a request writes, changes or deletes": {
    target: "/rest/holiday",
    method: "POST",
    body: `[${repeat(31, "{}")}]`
  },
  "JSON values of a body": {
    target: "/rest/holiday",
    method: "POST",
    body: `[${Array.from({ length: 21 }, () => `{"customFields":{"a":[${repeat(50_000, "1")}]}}`).join()}]`
  },
  "JSON values of a row": {
    target: "/rest/holiday",
    method: "POST",
    body: `{"customFields":{"a":[${repeat(100_001, "1")}]}}`
  },
  "keys of a row": {
    target: "/rest/holiday",
    method: "POST",
    body: `{${Array.from({ length: 201 }, (_, index) => `"k${index}":1`).join()}}`
  },
  "nested levels of a JSON value": {
    target: "/rest/holiday",
    method: "POST",
    body: `{"customFields":{"a":${"[".repeat(600)}${"]".repeat(600)}}}`
  },
  "a key, a reference, or a text of a unique rule": {
    target: "/rest/salesOrderFavorite",
    method: "POST",
    body: JSON.stringify({ salesOrderId: "x".repeat(513) })
  },
  "filters, with `and` and `or`": { target: `/rest/holiday?or=(${repeat(201, "name.eq.x")})` },
  "nested levels of `and` and `or`": {
    target: `/rest/holiday?or=${"(and".repeat(33)}(name.eq.x)${")".repeat(33)}`
  },
  "embeds of a level": {
    target: `/rest/warehouseTransfer?select=${Array.from({ length: 33 }, (_, index) => `e${index}:warehouseTransferLine(id)`).join()}`
  },
  "scalars, objects and lists in the value of `cs`, `cd` or `ov`": {
    target: `/rest/holiday?tags=cs.{${repeat(201, "x")}}`
  },
  "characters and sets of a `match` pattern, with its repetitions written out": {
    target: "/rest/holiday?name=match.x{101}"
  }
}

interface Refused {
  readonly code: string
  readonly details: unknown
  readonly hint: unknown
}

/** The refusal of a request past a limit, and the refusal that the description promises. */
const refusal = async (
  { key, origin }: BuiltService.BuiltService,
  limits: ReadonlyArray<Limit>,
  [subject, { target, ...init }]: readonly [string, (typeof beyond)[string]]
) => {
  const { code, flag, instead, status } = limits.find(({ limit }) => limit === subject) ?? {}
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json", ...init.headers }
  const response = await fetch(origin + target, { ...init, headers })
  // The body of an error response, or of an operation's, whose facts are in `data`.
  const sent = (await response.json()) as Refused & { readonly data?: Refused }
  const body = sent.data ?? sent
  // The texts of limits with flags are checked too.
  const isHinted = code !== "PGRST127" || body.hint === instead
  const isNamed =
    isHinted && (flag === undefined || (String(body.details).includes(flag) && typeof body.hint === "string"))
  return {
    actual: { subject, status: response.status, code: body.code, isNamed },
    expected: { subject, status, code, isNamed: true }
  }
}

describe("a request past a limit", () => {
  it("gets the response of docs/limits.md, with the flag of the limit and a request to send instead", async () => {
    const service = BuiltService.serve("sqlite::memory:", {
      flags: ["--max-body", "5mb", "--max-batch", "30", "--quota", "bytes=1kb"]
    })
    const refusals = await Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const running = yield* service
          const limits = yield* describedBy(running.origin)
          return yield* Effect.forEach(Object.entries(beyond), (entry) =>
            Effect.promise(() => refusal(running, limits, entry))
          )
        })
      )
    )
    expect(refusals.map(({ actual }) => actual)).toEqual(refusals.map(({ expected }) => expected))
  }, 300_000)
})

describe("docs/limits.md", () => {
  it("shows the limits of the description", async () => {
    const service = BuiltService.serve("sqlite::memory:")
    const limits = await Effect.runPromise(Effect.scoped(Effect.flatMap(service, ({ origin }) => describedBy(origin))))
    const groups = [...new Set(limits.map(({ group }) => group))]
    const page = readFileSync(path, "utf8")
    const marker = "<!-- generated from the description of the service -->"
    expect(page).toContain(marker)
    const sections = groups.map((name) =>
      section(
        name,
        limits.filter(({ group }) => group === name)
      )
    )
    const generated = [`${page.slice(0, page.indexOf(marker) + marker.length)}\n`, ...sections].join("\n")
    await expect(
      generated,
      `docs/limits.md differs from the description; write it anew with: ${update}`
    ).toMatchFileSnapshot(path)
  }, 300_000)
})
