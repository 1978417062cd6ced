import { assert, describe, it } from "vitest"
import * as ServerEvent from "../src/service/ServerEvent.ts"

const parse = (chunks: ReadonlyArray<string>): ReadonlyArray<ServerEvent.ServerEvent> => {
  const events: Array<ServerEvent.ServerEvent> = []
  const push = ServerEvent.parser((event) => events.push(event))
  for (const chunk of chunks) push(chunk)
  return events
}

describe("server-sent events", () => {
  const text = "id: 7\nevent: change\ndata: one\ndata: two\n\n: a comment\n\ndata\n\ndata: last\r\n\r\n"
  const expected = [
    { id: "7", type: "change", data: "one\ntwo" },
    { id: "7", type: "message", data: "" },
    { id: "7", type: "message", data: "last" }
  ]

  it("are parsed by the rules of the format", () => assert.deepEqual(parse([text]), expected))

  it("are parsed wherever the chunks are cut", () => {
    assert.deepEqual(parse(Array.from(text)), expected)
    for (let cut = 0; cut <= text.length; cut += 1) {
      assert.deepEqual(parse([text.slice(0, cut), text.slice(cut)]), expected, `cut at ${cut}`)
    }
  })
})
