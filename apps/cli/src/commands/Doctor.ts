/**
 * `mfg doctor`: checks the set-up, and gives advice.
 */
import * as Command from "@effect/cli/Command"
import { Unreachable } from "@mfgdata/client/ClientError"
import * as Catalogue from "@mfgdata/domain/Catalogue"
import { account } from "@mfgdata/domain/Operations"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { ChecksFailed } from "../CliError.ts"
import * as Connection from "../service/Connection.ts"
import * as Operations from "../service/Operations.ts"
import * as Output from "@mfgdata/shell/output/Output"
import * as Profile from "../service/Profile.ts"
import * as Program from "@mfgdata/shell/Program"

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

/** The clock skew in seconds that is tolerated: signatures of webhooks are valid for some minutes. */
const maxSkewSeconds = 60

const checkClock = (date: string | undefined, before: number, after: number): Finding => {
  const sent = date === undefined ? Number.NaN : Date.parse(date)
  if (Number.isNaN(sent))
    return warning(
      "clock",
      "the responses have no Date header",
      "The clock skew cannot be checked. Services of other projects may omit the header."
    )
  // The header has whole seconds, and was generated between `before` and `after`; 500 ms centres the truncation.
  const skew = sent + 500 < before ? (before - sent - 500) / 1000 : sent - 500 > after ? (sent - 500 - after) / 1000 : 0
  const seconds = Math.round(skew)
  const relation = sent > after ? "behind" : "ahead of"
  return seconds > maxSkewSeconds
    ? warning(
        "clock",
        `this machine is ${seconds} s ${relation} the service`,
        "Set the clock of this machine or of the service: signatures of webhooks are valid for some minutes."
      )
    : ok("clock", seconds === 0 ? "no difference" : `${seconds} s apart`)
}

/** Reads a row of a resource, to see that it matches this version; the key may lack the scope. */
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

const checkContract = (connection: Connection.Connection): Effect.Effect<Finding> =>
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
          "Check the REST address of the profile (mfg login --rest-url), and that mfg and the service have matching versions."
        )
      }
      const forbidden = of("forbidden").map(({ resource }) => resource.resource)
      return forbidden.length === 0
        ? ok("contract", `all ${results.length} resources match this version`)
        : warning(
            "contract",
            `the key cannot read ${forbidden.join(", ")}`,
            "If that is not intended, create a key with more scopes: mfg keys create --scope."
          )
    }
  )

const checkKey = (connection: Connection.Connection): Effect.Effect<Finding> =>
  Effect.match(Operations.call(connection, account.getCurrentUser, {}), {
    onSuccess: () => ok("key", "the service accepts it"),
    onFailure: (error) =>
      failed(
        "key",
        error.message,
        error._tag === "Unauthorized"
          ? "Run: mfg login"
          : "Check the operation address of the profile (mfg login --base-url)."
      )
  })

const runChecks = (connection: Connection.Connection): Effect.Effect<ReadonlyArray<Finding>> =>
  Effect.gen(function* () {
    const { name, profile } = connection
    const findings = [
      ok("profile", name === "environment" ? "from variables of the environment" : `${name}, in ${Profile.path()}`)
    ]
    const before = yield* Clock.currentTimeMillis
    const first = yield* Effect.either(connection.call({ method: "GET", url: `${profile.restUrl}/holiday?limit=1` }))
    const after = yield* Clock.currentTimeMillis
    if (Either.isLeft(first)) {
      const remedy = "Start the service, or correct the address. To start a local one: mfg-mock serve"
      return [
        ...findings,
        failed("address", first.left instanceof Unreachable ? first.left.message : String(first.left), remedy)
      ]
    }
    findings.push(ok("address", `${profile.restUrl} responds in ${after - before} ms`))
    const checked = yield* checkKey(connection)
    findings.push(checked)
    if (checked.verdict === "ok") findings.push(yield* checkContract(connection))
    return [...findings, checkClock(first.right.headers["date"], before, after)]
  })

const command = Command.make("doctor", { output: Output.options, profile: Connection.profile }, ({ output, profile }) =>
  Effect.gen(function* () {
    const findings = yield* Connection.use(profile, runChecks)
    yield* Output.show(
      findings.map((finding) => ({ ...finding })),
      { ...output, wide: true }
    )
    const failures = findings.filter(({ verdict }) => verdict === "failed")
    if (failures.length > 0) return yield* new ChecksFailed({ findings: failures.length })
  })
).pipe(Command.withDescription("Check address, key, contract and clock, and give advice."))

export const program: Program.Program = Program.make(command)
