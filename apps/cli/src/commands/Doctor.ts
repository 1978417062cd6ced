/**
 * `mfg doctor`: looks at the set-up and says what to do.
 */
import * as Command from "@effect/cli/Command"
import { Unreachable } from "@mfgdata/client/ClientError"
import * as Catalogue from "@mfgdata/domain/Catalogue"
import { account } from "@mfgdata/domain/Operations"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { Unwell } from "../CliError.ts"
import * as Connection from "../Connection.ts"
import * as Operations from "../Operations.ts"
import * as Output from "../Output.ts"
import * as Profile from "../Profile.ts"
import * as Program from "../Program.ts"

interface Finding {
  readonly check: "profile" | "address" | "key" | "contract" | "clock"
  readonly verdict: "ok" | "warning" | "failed"
  readonly found: string
  readonly remedy: string | null
}

const ok = (check: Finding["check"], found: string): Finding => ({ check, verdict: "ok", found, remedy: null })

const failed = (check: Finding["check"], found: string, remedy: string): Finding => ({
  check,
  verdict: "failed",
  found,
  remedy
})

const warning = (check: Finding["check"], found: string, remedy: string): Finding => ({
  check,
  verdict: "warning",
  found,
  remedy
})

/** By how much the two clocks may differ: signatures of webhooks and expiries of keys bear less than minutes. */
const tolerance = 60

const clock = (date: string | undefined, before: number, after: number): Finding => {
  const told = date === undefined ? Number.NaN : Date.parse(date)
  if (Number.isNaN(told))
    return warning("clock", "the service does not say what time it is", "Nothing to do, if it is not ours.")
  // The header holds whole seconds, and was written somewhere between the two.
  const off = told + 500 < before ? (before - told - 500) / 1000 : told - 500 > after ? (told - 500 - after) / 1000 : 0
  const seconds = Math.round(off)
  const ahead = told > after ? "behind" : "ahead of"
  return seconds > tolerance
    ? warning(
        "clock",
        `this machine is ${seconds} s ${ahead} the service`,
        "Set the clock of this machine or of the service: signatures of webhooks are only good for some minutes."
      )
    : ok("clock", seconds === 0 ? "the same time here and there" : `${seconds} s apart`)
}

/** Whether the rows of a resource are what this version knows; a key need not be allowed to read all. */
const readable = (connection: Connection.Connection, resource: Resource.Any) =>
  Effect.map(Effect.either(connection.rows.list(resource, { limit: 1 })), (result) =>
    Either.match(result, {
      onRight: () => ({ resource, verdict: "read" as const, message: "" }),
      onLeft: (error) => ({
        resource,
        verdict: error._tag === "Forbidden" ? ("forbidden" as const) : ("failed" as const),
        message: error.message
      })
    })
  )

const contract = (connection: Connection.Connection): Effect.Effect<Finding> =>
  Effect.map(
    Effect.forEach(Catalogue.resources, (resource) => readable(connection, resource), { concurrency: 4 }),
    (results) => {
      const of = (verdict: (typeof results)[number]["verdict"]) =>
        results.filter((result) => result.verdict === verdict)
      const [first] = of("failed")
      if (first !== undefined) {
        return failed(
          "contract",
          `${of("failed").length} of ${results.length} resources cannot be read: ${first.message}`,
          "Is --rest-url the address of this service, and mfg of its version?"
        )
      }
      const closed = of("forbidden").map(({ resource }) => resource.resource)
      return closed.length === 0
        ? ok("contract", `all ${results.length} resources answer as this version knows them`)
        : warning(
            "contract",
            `the key may not read ${closed.join(", ")}`,
            "Nothing to do, if it is meant so; else make a key with more scopes: mfg keys create --scope."
          )
    }
  )

const key = (connection: Connection.Connection): Effect.Effect<Finding> =>
  Effect.match(Operations.call(connection, account.getCurrentUser, {}), {
    onSuccess: () => ok("key", "the service accepts it"),
    onFailure: (error) =>
      failed(
        "key",
        error.message,
        error._tag === "Unauthorized" ? "Run: mfg login" : "Is the base address that of the operation interface?"
      )
  })

const examine = (connection: Connection.Connection): Effect.Effect<ReadonlyArray<Finding>> =>
  Effect.gen(function* () {
    const { name, profile } = connection
    const findings = [ok("profile", name === "environment" ? "from MFG_ variables" : `${name}, in ${Profile.path()}`)]
    const before = yield* Clock.currentTimeMillis
    const first = yield* Effect.either(connection.call({ method: "GET", url: `${profile.restUrl}/holiday?limit=1` }))
    const after = yield* Clock.currentTimeMillis
    if (Either.isLeft(first)) {
      const remedy = "Is the service running, and is this its address? A service of one's own: mfg-mock serve"
      return [
        ...findings,
        failed("address", first.left instanceof Unreachable ? first.left.message : String(first.left), remedy)
      ]
    }
    findings.push(ok("address", `${profile.restUrl} answers in ${after - before} ms`))
    const known = yield* key(connection)
    findings.push(known)
    if (known.verdict === "ok") findings.push(yield* contract(connection))
    return [...findings, clock(first.right.headers["date"], before, after)]
  })

const command = Command.make("doctor", { output: Output.options, profile: Connection.profile }, ({ output, profile }) =>
  Effect.gen(function* () {
    const findings = yield* Connection.use(profile, examine)
    yield* Output.show(
      findings.map((finding) => ({ ...finding })),
      { ...output, wide: true }
    )
    const bad = findings.filter(({ verdict }) => verdict === "failed")
    if (bad.length > 0) return yield* new Unwell({ findings: bad.length })
  })
).pipe(Command.withDescription("Check address, key, contract and clock, and say what to do."))

export const program: Program.Program = Program.make(command)
