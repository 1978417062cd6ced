/**
 * `mfg-mock worlds`: the worlds of a running service. One file, because the commands share their target and their texts.
 */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import type * as AdminApi from "@mfgdata/client/AdminApi"
import type { JsonObject } from "@mfgdata/domain/Json"
import { UsageError } from "@mfgdata/domain/UsageError"
import * as Default from "@mfgdata/shell/Default"
import * as IntegerFlag from "@mfgdata/shell/IntegerFlag"
import * as Program from "@mfgdata/shell/Program"
import * as Table from "@mfgdata/shell/output/Table"
import * as Terminal from "@mfgdata/shell/Terminal"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as fs from "node:fs"
import { buffer } from "node:stream/consumers"
import * as AdminTarget from "./target/AdminTarget.ts"
import * as ServiceTarget from "./target/ServiceTarget.ts"
import * as Reason from "../Reason.ts"

/** The service: that of a store, or one at an address. */
const target = {
  flags: AdminTarget.flags,
  url: Options.text("url").pipe(
    Options.withDescription("Address of the service, such as http://127.0.0.1:4010 (default: that of the store)."),
    Options.optional
  )
}

type Values = Parameters<typeof AdminTarget.run>[0]

interface Target {
  readonly flags: Values
  readonly url: Option.Option<string>
}

/** Runs operations of the service. */
const run = <A>({ flags, url }: Target, work: <E>(admin: AdminApi.Service<E>) => Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    if (Option.isNone(url)) return yield* AdminTarget.run(flags, work)
    return yield* ServiceTarget.run({ url: url.value }, work)
  })

const world = Args.text({ name: "world" }).pipe(Args.withDescription("Name of the world; main always exists."))

/** The path of standard output and standard input. */
const standard = "-"

const file = (stream: string) =>
  Args.text({ name: "file" }).pipe(Args.withDescription(`Path of the file; ${standard} is standard ${stream}.`))

const present = <K extends string, A>(name: K, value: Option.Option<A>): { readonly [N in K]?: A } =>
  // The record has the one name, or none.
  Option.match(value, { onNone: () => ({}), onSome: (value) => ({ [name]: value }) }) as { readonly [N in K]?: A }

/** Writes the key to standard output, and the message to standard error, so that a script can read the key. */
const showNew = ({ companyId, key, name, restUrl }: AdminApi.NewWorld) =>
  Effect.zipRight(
    Terminal.note(`The world ${name} serves ${restUrl} for the company ${companyId}. Its key is shown once:`),
    Terminal.write(`${key}\n`)
  )

/** A seed by name, or the content of a file. */
const readSeed = (text: string): Effect.Effect<"demo" | "empty" | JsonObject, UsageError> =>
  text === "demo" || text === "empty"
    ? Effect.succeed(text)
    : Effect.try({
        // The service checks the content.
        try: () => JSON.parse(fs.readFileSync(text, "utf8")) as JsonObject,
        catch: (cause) =>
          new UsageError({
            problem: `Invalid value ${JSON.stringify(text)} for --seed: expected demo, empty or a seed file (${Reason.ofCause(cause)}).`,
            example: "--seed demo"
          })
      })

const name = Options.text("name").pipe(
  Options.withDescription("Name of the new world (default: a new one)."),
  Options.optional
)

const idleSeconds = IntegerFlag.option("idle", {
  placeholder: "seconds",
  description: "Number of seconds without a request after which the world is put away.",
  least: 1,
  most: 31_536_000,
  example: 600
}).pipe(Default.of(3600))

const create = Command.make(
  "create",
  {
    ...target,
    name,
    idleSeconds,
    from: Options.text("from").pipe(
      Options.withDescription("World that the new one becomes a fork of (default: main)."),
      Options.optional
    ),
    seed: Options.text("seed").pipe(
      Options.withPseudoName("demo|empty|file"),
      Options.withDescription("Seed that the new world begins with, in place of a fork."),
      Options.optional
    ),
    rules: Options.choice("rules", ["contract", "public"]).pipe(
      Options.withDescription("Rules of the new world (default: those of its parent)."),
      Options.optional
    )
  },
  ({ flags, from, idleSeconds, name, rules, seed, url }) =>
    Effect.gen(function* () {
      const begun = Option.isSome(seed) ? { seed: yield* readSeed(seed.value) } : {}
      const request = {
        idleSeconds,
        ...begun,
        ...present("name", name),
        ...present("from", from),
        ...present("rules", rules)
      }
      yield* showNew(yield* run({ flags, url }, (admin) => admin.createWorld(request)))
    })
).pipe(
  Command.withDescription("Create a world, and show its key. For example: mfg-mock worlds create --name checkout-1")
)

const columns = ["name", "state", "from", "rules", "company", "created", "used"] as const

const rowOf = (world: AdminApi.World): { readonly [C in (typeof columns)[number]]: string } => ({
  name: world.name,
  state: world.state,
  from: world.from ?? world.seed ?? "",
  rules: world.rules,
  company: world.companyId ?? "",
  created: world.createdAt,
  used: world.usedAt
})

const table = <C extends string>(
  rows: ReadonlyArray<{ readonly [N in C]: string }>,
  names: ReadonlyArray<C>
): string => {
  const layout = Table.layout(rows, { room: Infinity, names })
  return [Table.header(layout), ...Table.lines(layout, rows)].map((line) => `${line}\n`).join("")
}

const list = Command.make("list", target, (target) =>
  Effect.flatMap(
    run(target, (admin) => admin.listWorlds({})),
    (worlds) => Terminal.write(table(worlds.map(rowOf), columns))
  )
).pipe(Command.withDescription("List all worlds, oldest first. For example: mfg-mock worlds list"))

const show = Command.make("show", { ...target, world }, ({ world, ...target }) =>
  Effect.gen(function* () {
    const [shown, snapshots] = yield* run(target, (admin) =>
      Effect.all([admin.getWorld({ world }), admin.listWorldSnapshots({ world })])
    )
    yield* Terminal.write(`${JSON.stringify({ ...shown, snapshots }, undefined, 2)}\n`)
  })
).pipe(Command.withDescription("Show a world and its snapshots as JSON. For example: mfg-mock worlds show checkout-1"))

const reset = Command.make("reset", { ...target, world }, ({ world, ...target }) =>
  Effect.zipRight(
    run(target, (admin) => admin.resetWorld({ world })),
    Terminal.note(`The world ${world} is what it was when it was made.`)
  )
).pipe(
  Command.withDescription(
    "Reset a world to what it was when it was made. For example: mfg-mock worlds reset checkout-1"
  )
)

const drop = Command.make("drop", { ...target, world }, ({ world, ...target }) =>
  Effect.zipRight(
    run(target, (admin) => admin.dropWorld({ world })),
    Terminal.note(`Deleted the world ${world}. Its keys are not valid any more.`)
  )
).pipe(Command.withDescription("Delete a world with its keys. For example: mfg-mock worlds drop checkout-1"))

const snapshotName = Args.text({ name: "snapshot" }).pipe(Args.withDescription("Name of the snapshot."))

const snapshot = Command.make(
  "snapshot",
  { ...target, world, snapshot: snapshotName },
  ({ snapshot, world, ...target }) =>
    Effect.zipRight(
      run(target, (admin) => admin.createWorldSnapshot({ world, name: snapshot })),
      Terminal.note(`Saved the state of ${world} as ${snapshot}.`)
    )
).pipe(Command.withDescription("Save the state of a world. For example: mfg-mock worlds snapshot checkout-1 paid"))

const restore = Command.make(
  "restore",
  { ...target, world, snapshot: snapshotName },
  ({ snapshot, world, ...target }) =>
    Effect.zipRight(
      run(target, (admin) => admin.restoreWorldSnapshot({ world, snapshot })),
      Terminal.note(`The world ${world} has the state ${snapshot}.`)
    )
).pipe(
  Command.withDescription("Restore a saved state of a world. For example: mfg-mock worlds restore checkout-1 paid")
)

const exportTo = Command.make("export", { ...target, world, file: file("output") }, ({ file, world, ...target }) =>
  Effect.gen(function* () {
    const bytes = yield* run(target, (admin) => admin.exportWorld({ world }))
    if (file === standard) return yield* Terminal.writeRaw(bytes)
    yield* Effect.try({
      try: () => fs.writeFileSync(file, bytes, { mode: 0o600 }),
      catch: (cause) =>
        new UsageError({
          problem: `The file ${file} cannot be written: ${Reason.ofCause(cause)}.`,
          example: "mfg-mock worlds export checkout-1 bug.world"
        })
    })
    yield* Terminal.note(`Wrote the world ${world} to ${file}.`)
  })
).pipe(Command.withDescription("Write a world to a file. For example: mfg-mock worlds export checkout-1 bug.world"))

const importFrom = Command.make(
  "import",
  { ...target, file: file("input"), name, idleSeconds },
  ({ file, idleSeconds, name, ...target }) =>
    Effect.gen(function* () {
      const bytes = yield* Effect.tryPromise({
        // A synchronous read of a pipe fails while the pipe is empty.
        try: async () => new Uint8Array(file === standard ? await buffer(process.stdin) : fs.readFileSync(file)),
        catch: (cause) =>
          new UsageError({
            problem: `The file ${file} cannot be read: ${Reason.ofCause(cause)}.`,
            example: "mfg-mock worlds import bug.world"
          })
      })
      const request = { file: bytes, idleSeconds, ...present("name", name) }
      yield* showNew(yield* run(target, (admin) => admin.importWorld(request)))
    })
).pipe(Command.withDescription("Create a world from a file. For example: mfg-mock worlds import bug.world --name bug"))

const other = Args.text({ name: "other" }).pipe(Args.withDescription("Name of the world that it is compared with."))

/** The differences as lines: `+` for an added row, `-` for a removed one, `~` for each field of a changed one. */
const linesOf = ({ resources }: AdminApi.WorldDiff): ReadonlyArray<string> =>
  Object.entries(resources).flatMap(([resource, { added, changed, removed }]) => [
    ...removed.map((row) => `- ${resource} ${JSON.stringify(row)}`),
    ...added.map((row) => `+ ${resource} ${JSON.stringify(row)}`),
    ...changed.flatMap(({ fields, key }) =>
      Object.entries(fields).map(
        ([field, { from, to }]) => `~ ${resource} ${key} ${field}: ${JSON.stringify(from)} -> ${JSON.stringify(to)}`
      )
    )
  ])

const diff = Command.make(
  "diff",
  {
    ...target,
    world,
    other,
    resource: Options.text("resource").pipe(
      Options.withDescription("Resource that is compared (default: all)."),
      Options.optional
    ),
    ignoreIds: Options.boolean("ignore-ids").pipe(
      Options.withDescription("Compare the content of rows that only one of the worlds has, without ids and times.")
    )
  },
  ({ flags, ignoreIds, other, resource, url, world }) => {
    const request = { from: world, to: other, ignoreIds, limit: 1000, ...present("resource", resource) }
    const page = (after: string | undefined): Effect.Effect<void, PageError> =>
      Effect.gen(function* () {
        const found = yield* run({ flags, url }, (admin) =>
          admin.diffWorlds({ ...request, ...(after === undefined ? {} : { after }) })
        )
        yield* Terminal.write(
          linesOf(found)
            .map((line) => `${line}\n`)
            .join("")
        )
        if (found.next !== null) yield* page(found.next)
      })
    return page(undefined)
  }
).pipe(
  Command.withDescription(
    "Show the rows that differ between two worlds. For example: mfg-mock worlds diff main checkout-1"
  )
)

type PageError = Effect.Effect.Error<ReturnType<typeof run>>

const command = Command.make("worlds").pipe(
  Command.withDescription("Worlds of a running service: isolated copies, each with a key of its own."),
  Command.withSubcommands([create, list, show, reset, drop, diff, snapshot, restore, exportTo, importFrom])
)

export const program: Program.Program = Program.make(command)
