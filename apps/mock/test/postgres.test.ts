/** Runs the suite on PostgreSQL, each service in a schema of its own. */
import * as Postgres from "./postgres/schema.ts"
import * as Suite from "./suite/Suite.ts"

Suite.suite("on PostgreSQL", Postgres.fresh)
