import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Exchange from "../../../src/Exchange.ts"
import * as Slices from "../../../src/world/Slices.ts"
import * as Csv from "../../../src/rows/Csv.ts"
import { type Decision, decisions } from "./responseShape.fixture.ts"
import * as World from "../world.ts"

const contentOf = ({ body, headers }: Exchange.Response): Decision["content"] => {
  const text = String(body)
  if (text === "") return "nothing"
  if (headers["Content-Type"]?.startsWith("text/csv")) {
    const parsed = Slices.run(Csv.parse(text))
    return `csv of ${(parsed._tag === "Lines" ? parsed.lines.length : 0) - 1}`
  }
  const value: unknown = JSON.parse(text)
  if (Array.isArray(value)) return `array of ${value.length}`
  return typeof value === "object" && value !== null && "code" in value ? `error ${String(value.code)}` : "object"
}

describe("the response", () => {
  for (const decision of decisions) {
    const { accept, address, at, body, method, prefer, shape, status } = decision
    const name = [method, `/holiday${address}`, body === undefined ? "" : JSON.stringify(body), accept, prefer]
    it.scoped(`${shape}: ${name.filter(Boolean).join(" ")}`, () =>
      Effect.gen(function* () {
        const { ask } = yield* World.make()
        for (const id of ["a", "b"]) {
          const holiday = { name: "May Day", date: "2026-05-01", year: 2026, companyId: World.caller.companyId }
          yield* ask("PUT", `holiday?id=eq.${id}`, { body: holiday })
        }
        const headers = {
          ...(accept === undefined ? {} : { accept }),
          ...(prefer === undefined ? {} : { prefer })
        }
        const answer = yield* ask(method, `holiday${address}`, { body, headers, shape })
        const [created] = method === "POST" ? (/eq\.(.*)$/.exec(answer.headers["Location"] ?? "") ?? []).slice(1) : []
        assert.deepStrictEqual(
          {
            status: answer.status,
            content: contentOf(answer),
            at:
              created === undefined ? answer.headers["Location"] : answer.headers["Location"]?.replace(created, "new"),
            typed: answer.headers["Content-Type"] !== undefined
          },
          {
            status,
            content: decision.content,
            at,
            typed: method === "HEAD" || accept === "text/csv" || decision.content !== "nothing"
          }
        )
      })
    )
  }
})
