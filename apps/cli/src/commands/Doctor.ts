/**
 * `mfg doctor`: checks the set-up, and gives advice.
 */
import * as Command from "@effect/cli/Command"
import { Unreachable } from "@mfgdata/client/ClientError"
import * as Catalogue from "@mfgdata/domain/Catalogue"
import { account, version as expectedVersion } from "@mfgdata/domain/Operations"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { ChecksFailed } from "../CliError.ts"
import * as Connection from "../service/Connection.ts"
import * as Operations from "../service/Operations.ts"
import * as Output from "@mfgdata/shell/output/Output"
import * as Profile from "../service/Profile.ts"
import * as Unreached from "../service/Unreached.ts"
import * as Executable from "@mfgdata/shell/Executable"
import * as Certificates from "@mfgdata/shell/network/Certificates"
import * as Proxy from "@mfgdata/shell/network/Proxy"
import * as Program from "@mfgdata/shell/Program"
import * as Switches from "@mfgdata/shell/Switches"
import * as Variable from "@mfgdata/shell/Variable"

interface Finding {
  readonly check: "profile" | "proxy" | "certificates" | "address" | "key" | "contract" | "clock" | "versions"
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

/** The proxies of the two interfaces. */
const checkProxy = ({ baseUrl, restUrl }: Profile.Profile): Finding => {
  const proxies = new Set([restUrl, baseUrl].map(Proxy.find).flatMap((proxy) => (proxy ? [Proxy.show(proxy)] : [])))
  return ok("proxy", proxies.size === 0 ? "none" : [...proxies].join(", "))
}

const checkCertificates = ({ baseUrl, restUrl }: Profile.Profile): Effect.Effect<Finding> =>
  Effect.gen(function* () {
    const isEncrypted = [restUrl, baseUrl].some((address) => address.startsWith("https:"))
    const extra = Variable.read(Certificates.variable)
    const unusable =
      extra === undefined ? Option.none() : yield* Effect.flip(Certificates.read(extra)).pipe(Effect.option)
    if (Option.isSome(unusable)) {
      return warning(
        "certificates",
        unusable.value.message,
        `Correct or unset ${Certificates.variable}: Node ignores the file.`
      )
    }
    const files = [extra, yield* Switches.valueOf(Certificates.flag)].filter((file) => file !== undefined)
    const used = ["the authorities of Node", ...files].join(", ")
    return ok("certificates", isEncrypted ? used : "none, the addresses are http")
  })

const document = Schema.decodeUnknownOption(
  Schema.parseJson(Schema.Struct({ info: Schema.Struct({ version: Schema.String }) }))
)

const checkVersions = ({ call, profile }: Connection.Connection): Effect.Effect<Finding> =>
  Effect.gen(function* () {
    const { name, version } = yield* Executable.current
    const own = `${name} ${version}, Node ${process.versions.node}`
    const reply = yield* Effect.option(call({ method: "GET", url: `${profile.baseUrl}/openapi.json` }))
    const found = Option.flatMap(reply, ({ text }) => document(text))
    if (Option.isNone(found)) return ok("versions", `${own}; the service has no description`)
    const interfaceVersion = found.value.info.version
    const versions = `${own}, interface ${interfaceVersion} of the service`
    return interfaceVersion.split(".", 1)[0] === expectedVersion.split(".", 1)[0]
      ? ok("versions", versions)
      : warning(
          "versions",
          versions,
          `This version of ${name} is for interface ${expectedVersion}: install another one.`
        )
  })

const runChecks = (connection: Connection.Connection): Effect.Effect<ReadonlyArray<Finding>> =>
  Effect.gen(function* () {
    const { name, profile } = connection
    const findings = [
      ok("profile", name === "environment" ? "from variables of the environment" : `${name}, in ${Profile.path()}`),
      checkProxy(profile),
      yield* checkCertificates(profile)
    ]
    const before = yield* Clock.currentTimeMillis
    const first = yield* Effect.either(connection.call({ method: "GET", url: `${profile.restUrl}/holiday?limit=1` }))
    const after = yield* Clock.currentTimeMillis
    if (Either.isLeft(first)) {
      const remedy =
        Unreached.remedy(first.left) ??
        "Start the service, or correct the address. To start a local one: mfg-mock serve"
      return [
        ...findings,
        failed("address", first.left instanceof Unreachable ? first.left.message : String(first.left), remedy)
      ]
    }
    findings.push(ok("address", `${profile.restUrl} responds in ${after - before} ms`))
    const checked = yield* checkKey(connection)
    findings.push(checked)
    if (checked.verdict === "ok") findings.push(yield* checkContract(connection))
    findings.push(checkClock(first.right.headers["date"], before, after))
    return [...findings, yield* checkVersions(connection)]
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
).pipe(
  Command.withDescription("Check proxy, certificates, address, key, contract, clock and versions, and give advice.")
)

export const program: Program.Program = Program.make(command)
