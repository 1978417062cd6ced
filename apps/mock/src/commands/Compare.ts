/**
 * `mfg-mock compare`: finds where a live service differs from this one.
 */
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Comparison from "@mfgdata/client/contract/Comparison"
import { type Verdict, verdicts } from "@mfgdata/client/contract/Difference"
import type { Report } from "@mfgdata/client/contract/Report"
import * as Catalogue from "@mfgdata/domain/Catalogue"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Suggestion from "@mfgdata/domain/Suggestion"
import { UsageError } from "@mfgdata/domain/UsageError"
import * as IntegerFlag from "@mfgdata/shell/IntegerFlag"
import * as Program from "@mfgdata/shell/Program"
import * as Terminal from "@mfgdata/shell/Terminal"
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { writeFileSync } from "node:fs"
import * as Compare from "../fidelity/Compare.ts"
import * as FactsSource from "../facts/FactsSource.ts"
import * as TaughtForms from "../fidelity/learn/TaughtForms.ts"
import * as OwnWorld from "../fidelity/OwnWorld.ts"
import * as ReportText from "../fidelity/ReportText.ts"
import * as Source from "../fidelity/Source.ts"
import * as Surveys from "../fidelity/Surveys.ts"
import * as Settings from "../Settings.ts"
import * as Flags from "./Flags.ts"
import * as Learn from "./Learn.ts"
import * as SourceProfile from "./SourceProfile.ts"
import * as Reason from "../Reason.ts"

/** The exit codes by the worst difference; cosmetic ones alone are a success. */
const exitCodes: { readonly [V in Verdict]: number } = {
  "breaks-types": 5,
  "breaks-errors": 4,
  visible: 3,
  cosmetic: 0
}

/** The services differ. */
class DifferencesFound extends Data.TaggedError("DifferencesFound")<{
  readonly verdict: Verdict
  readonly counts: { readonly [V in Verdict]: number }
  readonly score: string
}> {
  get exitCode() {
    return exitCodes[this.verdict]
  }
  override get message() {
    const counts = verdicts.flatMap((verdict) =>
      this.counts[verdict] === 0 ? [] : [`${this.counts[verdict]} ${verdict}`]
    )
    return `The services differ: ${counts.join(", ")}. ${this.score}`
  }
}

/** A report that cannot be written. */
class ReportUnwritable extends Data.TaggedError("ReportUnwritable")<{
  readonly path: string
  readonly reason: string
}> {
  override get message() {
    return `The report ${this.path} cannot be written: ${this.reason}`
  }
}

const profile = Options.text("with").pipe(
  Options.withPseudoName("profile"),
  Options.withDescription(
    "Profile of mfg with the live service, or environment for MFG_REST_URL, MFG_BASE_URL and MFG_API_KEY."
  )
)

const against = Options.text("against").pipe(
  Options.withPseudoName("profile"),
  Options.withDescription("Profile of a running service for our side (default: a new world in this process)."),
  Options.optional
)

const store = Options.text("store").pipe(
  Options.withPseudoName("address"),
  Options.withDescription("Store of our side, such as a mirror of the service (default: a new one in memory)."),
  Options.optional
)

const report = Options.text("report").pipe(
  Options.withPseudoName("file"),
  Options.withDescription("File of the report: .json or .md. A run that was stopped continues from it."),
  Options.optional
)

const resource = Options.text("resource").pipe(
  Options.withDescription("Resource to compare; may be repeated (default: all)."),
  Options.repeated
)

const write = Options.boolean("write").pipe(
  Options.withDescription(
    "Creates, updates and deletes too, in rows that it makes, names mfg-compare-... and removes; webhooks of the service see them."
  )
)

const concurrency = IntegerFlag.option("concurrency", {
  description: "Maximum number of concurrent requests to the live service (default 4).",
  least: 1,
  most: 64,
  example: 2
}).pipe(Options.withDefault(4))

const resourceOf = (name: string): Effect.Effect<Resource.Any, UsageError> => {
  const found = Catalogue.find(name)
  if (found !== undefined) return Effect.succeed(found)
  const names = Catalogue.resources.map(({ resource }) => resource)
  const nearest = Suggestion.find(name, names)
  return new UsageError({
    problem: `Unknown resource ${JSON.stringify(name)} for --resource${nearest === undefined ? "" : `: perhaps ${nearest}`}.`,
    example: "--resource holiday"
  })
}

/** The forms of reports by the end of their file's name. */
const printers: { readonly [end: string]: (report: Report) => string } = {
  ".json": (report) => `${JSON.stringify(report, null, 2)}\n`,
  ".md": ReportText.markdown
}

const printerOf = (path: string): Effect.Effect<(report: Report) => string, UsageError> => {
  const printer = Object.entries(printers).find(([end]) => path.endsWith(end))?.[1]
  return printer === undefined
    ? new UsageError({
        problem: `Invalid file ${JSON.stringify(path)} for --report: expected a name that ends in .json or .md.`,
        example: "--report drift.json"
      })
    : Effect.succeed(printer)
}

const save = (path: string, text: string) =>
  Effect.try({
    try: () => writeFileSync(path, text, { mode: 0o600 }),
    catch: (cause) => new ReportUnwritable({ path, reason: Reason.ofCause(cause) })
  })

/** Shows the progress on one line of a terminal. */
const progress = (total: number) => {
  let shownAt = 0
  return {
    onProbe: (probes: number, subject: string) => {
      const now = Date.now()
      if (!Terminal.isErrorTerminal() || now - shownAt < 200) return
      shownAt = now
      process.stderr.write(`\r\u001B[K${probes} probes, ${subject} (of ${total} resources)`)
    },
    clear: Effect.sync(() => {
      if (shownAt > 0) process.stderr.write("\r\u001B[K")
    })
  }
}

const worst = ({ differences }: Report): Verdict =>
  verdicts.find((verdict) => differences.some((difference) => difference.verdict === verdict)) ?? "cosmetic"

const failure = (report: Report): DifferencesFound => {
  const count = (verdict: Verdict) => report.differences.filter((difference) => difference.verdict === verdict).length
  return new DifferencesFound({
    verdict: worst(report),
    counts: {
      "breaks-types": count("breaks-types"),
      "breaks-errors": count("breaks-errors"),
      visible: count("visible"),
      cosmetic: count("cosmetic")
    },
    score: `${ReportText.total(report)}.`
  })
}

const settingNames = ["rules", "seed", "aggregates", "facts"] as const

const command = Command.make(
  "compare",
  {
    with: profile,
    against,
    flags: Flags.options(settingNames),
    store,
    resource,
    write,
    report,
    concurrency,
    learn: Learn.option
  },
  (given) =>
    Effect.gen(function* () {
      const resources = yield* Effect.forEach(given.resource, resourceOf)
      const printer = Option.isNone(given.report) ? undefined : yield* printerOf(given.report.value)
      const settings = yield* Flags.resolve(settingNames, given.flags)
      if (Option.isSome(given.learn)) yield* Learn.check(given)
      const facts = settings.facts === undefined ? undefined : yield* FactsSource.read(settings.facts)
      const ownStore = Option.isNone(given.store)
        ? ({ _tag: "Sqlite", path: ":memory:" } as const)
        : (yield* Settings.resolve(["store"], { store: given.store.value }, {})).store
      const options = {
        concurrency: given.concurrency,
        resources: resources.length === 0 ? Catalogue.resources : resources
      }
      const theirs = yield* Effect.flatMap(SourceProfile.find(given.with), (found) => Source.open(found, options))
      const ours = Option.isNone(given.against)
        ? yield* OwnWorld.start({ ...settings, store: ownStore })
        : yield* Effect.flatMap(SourceProfile.find(given.against.value), (found) => Source.open(found, options))
      const run = JSON.stringify([theirs.restUrl, options.resources.map(({ resource }) => resource)])
      const surveys = Option.isNone(given.report)
        ? Surveys.none
        : yield* Surveys.open(`${given.report.value}.partial`, run, yield* Clock.currentTimeMillis)
      if (surveys.resumed > 0) yield* Terminal.note(`Continuing after ${surveys.resumed} resources.`)
      const { clear, onProbe } = progress(options.resources.length)
      if (Option.isSome(given.learn)) {
        const world = { ...settings, store: ownStore }
        const { resources } = options
        const learned = yield* Effect.ensuring(
          Learn.run(given.learn.value, facts, { theirs, resources, world, write: given.write, onProbe }),
          clear
        )
        if (Option.isSome(given.report) && printer !== undefined)
          yield* save(given.report.value, printer(learned.before))
        yield* Terminal.write(Terminal.isTerminal() ? ReportText.text(learned.after) : ReportText.ndjson(learned.after))
        yield* surveys.finish
        if (exitCodes[worst(learned.after)] > 0) return yield* failure(learned.after)
        return
      }
      const found = yield* Effect.ensuring(
        Compare.run({
          ours,
          theirs,
          resources: options.resources,
          declared: facts === undefined ? Comparison.contract : TaughtForms.make(facts.facts, settings.rules),
          surveys,
          write: given.write,
          onProbe
        }),
        clear
      )
      if (Option.isSome(given.report) && printer !== undefined) yield* save(given.report.value, printer(found))
      yield* surveys.finish
      yield* Terminal.write(Terminal.isTerminal() ? ReportText.text(found) : ReportText.ndjson(found))
      if (exitCodes[worst(found)] > 0) return yield* failure(found)
    }).pipe(Effect.scoped)
).pipe(
  Command.withDescription(
    "Find where a live service differs from this one: sends the same requests to both, each twice, and compares statuses, " +
      "bodies, headers, errors and the forms of values. It reads only, unless --write. It exits with 0 without differences or with cosmetic " +
      "ones, with 3 for visible ones, with 4 for those that break errors of the client, and with 5 for those that break its " +
      "types. With --learn it writes what it found as facts, and tries them: the exit code and the output are those of a " +
      "comparison with them, the report that of the comparison before. For example: mfg-mock compare --with live " +
      "--report drift.md"
  )
)

export const program: Program.Program = Program.make(command)
