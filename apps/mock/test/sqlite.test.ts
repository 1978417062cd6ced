/** Runs the suite on the embedded store. */
import * as Effect from "effect/Effect"
import * as Suite from "./suite/Suite.ts"

Suite.suite("on SQLite", Effect.succeed({ _tag: "Sqlite", path: ":memory:" }))
