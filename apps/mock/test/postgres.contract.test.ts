/** Runs the suites generated from the document and from the public rules on PostgreSQL. */
import * as Postgres from "./postgres/schema.ts"
import * as Contract from "./suite/contract/Contract.ts"

Contract.suite("on PostgreSQL", Postgres.fresh)
