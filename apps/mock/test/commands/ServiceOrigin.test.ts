import { assert, describe, it } from "@effect/vitest"
import * as ServiceOrigin from "../../src/commands/target/ServiceOrigin.ts"

describe("Origin", () => {
  it("is where a client on the same machine reaches a service", () => {
    for (const [host, origin] of [
      ["127.0.0.1", "http://127.0.0.1:4010"],
      ["0.0.0.0", "http://127.0.0.1:4010"],
      ["::", "http://[::1]:4010"],
      ["::1", "http://[::1]:4010"],
      ["10.0.0.7", "http://10.0.0.7:4010"],
      ["mock.test", "http://mock.test:4010"]
    ] as const) {
      assert.strictEqual(ServiceOrigin.fromAddress({ host, port: 4010 }), origin)
    }
  })
})
