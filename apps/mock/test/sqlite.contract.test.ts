/** Runs the suites generated from the document and from the public rules on the embedded store. */
import * as Effect from "effect/Effect"
import * as Contract from "./suite/contract/Contract.ts"

Contract.suite("on SQLite", Effect.succeed({ _tag: "Sqlite", path: ":memory:" }))
