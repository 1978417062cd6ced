/**
 * Runs a command line of `mfg` in this process.
 */
import * as testing from "@mfgdata/shell/testing"
import type * as Effect from "effect/Effect"
import { front } from "../src/Mfg.ts"

export const mfg = (...args: ReadonlyArray<string>): Effect.Effect<testing.Result> => testing.run(front, args)
