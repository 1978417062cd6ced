/**
 * Runs a command line of `mfg` in this process.
 */
import * as testing from "@mfgdata/shell/testing"
import type * as Effect from "effect/Effect"
import { afterAll, beforeAll } from "vitest"
import { front } from "../src/Mfg.ts"

export const mfg = (...args: ReadonlyArray<string>): Effect.Effect<testing.Result> => testing.run(front, args)

/** Gives the tests of a file an environment without a service and without the profiles of this machine. */
export const withoutService = (): void => {
  const saved = { ...process.env }
  const variables = {
    XDG_CONFIG_HOME: "/nonexistent",
    MFG_REST_URL: "http://127.0.0.1:1/rest",
    MFG_BASE_URL: "http://127.0.0.1:1/api/v1",
    MFG_API_KEY: "k"
  }
  beforeAll(() => void Object.assign(process.env, variables))
  afterAll(() => void (process.env = saved))
}
