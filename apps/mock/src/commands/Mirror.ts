/**
 * `mfg-mock mirror`: brings the rows of a live service into a store.
 */
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { UsageError } from "@mfgdata/domain/UsageError"
import * as IntegerFlag from "@mfgdata/shell/IntegerFlag"
import * as Program from "@mfgdata/shell/Program"
import * as Progress from "@mfgdata/shell/Progress"
import * as Terminal from "@mfgdata/shell/Terminal"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as fs from "node:fs/promises"
import * as Mirror from "../fidelity/mirror/Mirror.ts"
import * as MirrorReport from "../fidelity/mirror/MirrorReport.ts"
import * as SourceFilter from "../fidelity/mirror/SourceFilter.ts"
import * as ScrubFile from "../fidelity/scrub/ScrubFile.ts"
import * as Source from "../fidelity/Source.ts"
import * as Settings from "../Settings.ts"
import * as AdminTarget from "./target/AdminTarget.ts"
import * as Flags from "./Flags.ts"
import * as MirrorWorld from "./MirrorWorld.ts"
import * as SourceProfile from "./SourceProfile.ts"

/** The report could not be written. */
class ReportUnwritable extends Data.TaggedError("ReportUnwritable")<{
  readonly file: string
  readonly cause: unknown
}> {
  override get message() {
    return `The report ${this.file} cannot be written: ${this.cause instanceof Error ? this.cause.message : String(this.cause)}`
  }
}

/** Other users see the arguments of a process, so the key comes from the environment. */
const keyVariable = "MFG_MOCK_SCRUB_KEY"
const leastKeyLength = 20

const scrubKey = Effect.suspend(() => {
  const text = process.env[keyVariable]
  return text === undefined || text === "" || text.length >= leastKeyLength
    ? Effect.succeed(text === "" ? undefined : text)
    : Effect.fail(
        new UsageError({
          problem: `The variable ${keyVariable} has ${text.length} characters: expected ${leastKeyLength} or more.`,
          example: `${keyVariable}=$(openssl rand -base64 32)`
        })
      )
})

const options = {
  from: Options.text("from").pipe(
    Options.withPseudoName("profile"),
    Options.withDescription("Profile of mfg that has the address and the key of the service, or environment.")
  ),
  resources: Options.text("resource").pipe(
    Options.withPseudoName("name"),
    Options.withDescription("Resource to mirror, repeatable (default: all that the key can read)."),
    Options.repeated
  ),
  where: Options.text("where").pipe(
    Options.withPseudoName("resource:condition"),
    Options.withDescription("Condition on the rows of a resource, repeatable, such as warehouseTransfer:status=Draft."),
    Options.repeated
  ),
  limit: IntegerFlag.option("limit", {
    description: "Maximum number of rows of each resource, in the order of their keys (default: all).",
    least: 1,
    example: 1000
  }).pipe(Options.optional),
  scrub: Options.text("scrub").pipe(
    Options.withPseudoName("file"),
    Options.withDescription(
      "Rules that replace values (JSON), or none to copy all but secrets (default: what looks like people is replaced)."
    ),
    Options.withDefault("default")
  ),
  world: Options.text("world").pipe(
    Options.withPseudoName("name"),
    Options.withDescription(
      "World of the service that runs on --store, which becomes the mirror; needs MFG_MOCK_ADMIN_KEY (default: the store itself)."
    ),
    Options.optional
  ),
  prune: Options.boolean("prune").pipe(
    Options.withDescription("Deletion of the mirrored rows that the service no longer returns.")
  ),
  report: Options.text("report").pipe(
    Options.withPseudoName("file"),
    Options.withDescription("File for the report: Markdown if it ends in .md, else NDJSON (default: standard output)."),
    Options.optional
  ),
  state: Options.text("state").pipe(
    Options.withPseudoName("file"),
    Options.withDescription("File that later runs continue from (default: <store>-mirror)."),
    Options.optional
  ),
  concurrency: IntegerFlag.option("concurrency", {
    description: "Maximum number of concurrent requests (default 4).",
    least: 1,
    most: 32,
    example: 4
  }).pipe(Options.withDefault(4))
}

/** The conditions by resource. */
const conditions = (texts: ReadonlyArray<string>) =>
  Effect.map(Effect.all(texts.map(SourceFilter.parse)), (parsed) => {
    const where = new Map<string, Array<SourceFilter.Parameter>>()
    for (const { parameter, resource } of parsed) {
      where.set(resource.resource, [...(where.get(resource.resource) ?? []), parameter])
    }
    return where
  })

/** The file of the state: next to the store, or in the working directory for a store on a server. */
const stateOf = (store: Settings.StoreAddress): string =>
  store._tag === "Sqlite" ? `${store.path}-mirror` : ".mfgdata-mirror"

const write = (file: Option.Option<string>, report: MirrorReport.MirrorReport) => {
  const isMarkdown = Option.match(file, { onNone: Terminal.isTerminal, onSome: (path) => path.endsWith(".md") })
  const text = isMarkdown
    ? MirrorReport.toMarkdown(report)
    : MirrorReport.toLines(report)
        .map((line) => `${line}\n`)
        .join("")
  return Option.match(file, {
    onNone: () => Terminal.write(text),
    onSome: (path) =>
      Effect.tryPromise({
        try: () => fs.writeFile(path, text, { mode: 0o600 }),
        catch: (cause) => new ReportUnwritable({ file: path, cause })
      })
  })
}

const command = Command.make(
  "mirror",
  { flags: Flags.options(["store", "pooling", "rules"]), ...options },
  ({ concurrency, flags, from, limit, prune, report, resources: names, scrub, state, where, world: worldName }) =>
    Effect.gen(function* () {
      const settings = yield* Flags.resolve(AdminTarget.settings, flags)
      const resources = yield* Effect.all(names.map(SourceFilter.resource))
      const rules = yield* ScrubFile.read(scrub)
      const key = yield* scrubKey
      const conditioned = yield* conditions(where)
      const name = Option.getOrUndefined(worldName)
      const staged = name === undefined ? undefined : yield* MirrorWorld.prepare(settings, name)
      const store = staged ?? settings.store
      const address = yield* SourceProfile.find(from)
      const source = yield* Source.open(address, { concurrency, ...(resources.length > 0 && { resources }) })
      for (const { reason, resource, status } of source.leftOut) {
        yield* Terminal.note(`Left out ${resource}: status ${status}, ${reason}`)
      }
      const progress = yield* Progress.make(`Mirroring ${from}`)
      const mirror: Mirror.Options = {
        source,
        where: conditioned,
        limit: Option.getOrUndefined(limit),
        rules,
        rulesName: scrub,
        key,
        stateFile: Option.getOrElse(state, () => stateOf(store)),
        prune,
        concurrency,
        progress: (rows, all) => progress.report(rows, all === undefined ? undefined : rows / Math.max(all, 1))
      }
      const prepared = yield* Mirror.prepare(mirror)
      const { content, result } = yield* AdminTarget.alone({ ...settings, store }, (world) =>
        Effect.gen(function* () {
          const result = yield* Effect.scoped(Mirror.run(mirror, prepared, world))
          return { result, content: staged && (yield* MirrorWorld.read(world, staged)) }
        })
      )
      yield* progress.clear
      if (name !== undefined && content !== undefined) {
        const { key, restUrl } = yield* MirrorWorld.put(settings, name, content)
        yield* Terminal.note(`The world ${name} is at ${restUrl} with the key ${key}`)
      }
      yield* write(report, result)
      const { changed, created, gone, read } = MirrorReport.totals(result)
      yield* Terminal.note(
        `Mirrored ${from} into ${name === undefined ? Settings.storeName(store) : `the world ${name}`}: ${read} rows read, ${created} new, ${changed} changed, ${gone} gone.`
      )
    }).pipe(Effect.scoped)
).pipe(
  Command.withDescription(
    "Bring the rows of a live service into a store that no service uses, without what looks like people. " +
      "A run that was interrupted continues; the next one brings what is new or changed. " +
      "For example: mfg-mock mirror --from live --store sqlite:live.db"
  )
)

export const program: Program.Program = Program.make(command)
