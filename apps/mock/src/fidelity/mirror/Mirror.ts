/**
 * Mirrors a source into a store: its resources in passes, several at a time, then the rows that are gone and the
 * references to rows that were left out.
 */
import type { QueryError } from "@mfgdata/client/ClientError"
import * as Column from "@mfgdata/domain/Column"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import { createHmac } from "node:crypto"
import type { StoreUnavailable } from "../../store/Store.ts"
import type { World } from "../../world/World.ts"
import * as ColumnRules from "../scrub/ColumnRules.ts"
import * as Pseudonym from "../scrub/Pseudonym.ts"
import * as Scrub from "../scrub/Scrub.ts"
import type { RuleFile } from "../scrub/ScrubRule.ts"
import type * as Source from "../Source.ts"
import * as MirrorOwner from "./MirrorOwner.ts"
import type { MirrorReport } from "./MirrorReport.ts"
import * as MirrorState from "./MirrorState.ts"
import * as MirrorTarget from "./MirrorTarget.ts"
import * as ResourcePass from "./ResourcePass.ts"
import type { Parameter } from "./SourceFilter.ts"
import * as SourceSample from "./SourceSample.ts"
import * as UnforeseenValues from "./UnforeseenValues.ts"

export interface Options {
  readonly source: Source.Source
  /** The conditions of resources. */
  readonly where: ReadonlyMap<string, ReadonlyArray<Parameter>>
  /** The maximum number of rows of each resource. */
  readonly limit: number | undefined
  /** The rules, and the name of their file. */
  readonly rules: RuleFile
  readonly rulesName: string
  /** The key of the pseudonyms (default: one that the state keeps). */
  readonly key: string | undefined
  readonly stateFile: string
  readonly prune: boolean
  readonly concurrency: number
  /** Shows the number of rows that are done, and of all rows where it is known. */
  readonly progress: (rows: number, all: number | undefined) => Effect.Effect<void>
}

/** The maximum number of gone rows that are listed. */
const maxGone = 1000
const partLength = 500

/** Checks the rules against the rows of the source, before anything is written. */
export const prepare = ({ concurrency, rules, rulesName, source }: Options) =>
  Effect.gen(function* () {
    const sample = yield* SourceSample.make(source, concurrency)
    const columns = yield* ColumnRules.make(rulesName, rules, sample.columns)
    return { columns, sample }
  })

type Prepared = Effect.Effect.Success<ReturnType<typeof prepare>>

/** Mirrors the source into a world. */
export const run = (
  options: Options,
  { columns, sample }: Prepared,
  world: World["Type"]
): Effect.Effect<
  MirrorReport,
  QueryError | StoreUnavailable | MirrorState.MirrorStateUnusable | MirrorOwner.OwnerError,
  Scope
> =>
  Effect.gen(function* () {
    const { concurrency, limit, progress, prune, rules, source, stateFile, where } = options
    const state = yield* MirrorState.open(stateFile)
    const origin = state.fixed("source", source.restUrl)
    if (origin !== source.restUrl) {
      return yield* new MirrorState.MirrorStateUnusable({
        file: stateFile,
        reason: `the store has rows of ${origin}, and the profile ${source.name} is ${source.restUrl}: name another store`
      })
    }
    const key = options.key ?? state.key
    const digest = (value: unknown) => createHmac("sha256", key).update(JSON.stringify(value)).digest("base64url")
    const scrub = Scrub.make(columns, yield* Effect.promise(() => Pseudonym.make(key)))
    const owner = yield* MirrorOwner.find(world, source, sample, scrub)
    const target = MirrorTarget.make(world, owner)
    const unforeseen = UnforeseenValues.make()
    const names = source.resources.map(({ resource }) => resource)
    const begun = state.begin(digest([rules, [...where], limit ?? null, names]))
    const started = performance.now()

    const all = limit === undefined && where.size === 0 ? sample.total : undefined
    let done = 0
    const report = (rows: number) => {
      done += rows
      return progress(done, all)
    }

    const pass = (resource: Resource.Any) =>
      ResourcePass.make(resource, {
        rows: source.rows,
        run: begun.number,
        target,
        state,
        scrub,
        unforeseen,
        selection: {
          where: where.get(resource.resource) ?? [],
          limit,
          digest: digest([rules, where.get(resource.resource) ?? [], limit ?? null])
        },
        columns: new Set([...Column.byName(resource).keys(), ...(sample.columns.get(resource.resource) ?? [])]),
        progress: report
      })

    /** The rows that an earlier run has brought, and that the source no longer returns. */
    const gone = (resource: Resource.Any) =>
      Effect.gen(function* () {
        const { resource: name } = resource
        const keys: Array<string> = []
        const kept: Array<MirrorTarget.Refusal> = []
        let rows = 0
        for (let after = ""; ;) {
          const part = state.unseen(name, begun.number, after, partLength)
          const last = part.at(-1)
          if (last === undefined) return { resource: name, rows, keys, kept, pruned: prune }
          if (prune) {
            const refusals = yield* target.remove(resource, part)
            const refused = new Set(refusals.map(({ key }) => key))
            state.forget(
              name,
              part.filter((key) => !refused.has(key))
            )
            kept.push(...refusals.slice(0, maxGone - kept.length))
          }
          rows += part.length
          keys.push(...part.slice(0, maxGone - keys.length))
          after = last
        }
      })

    // The public rules need parents before the rows that refer to them.
    const inOrder = Catalogue.importOrder.filter((resource) => source.resources.includes(resource))
    const atOnce = world.rules() === "public" ? 1 : concurrency
    const outcomes = yield* Effect.forEach(inOrder, pass, { concurrency: atOnce })
    const missing = yield* Effect.forEach(inOrder.toReversed(), gone)
    const dangling = yield* target.dangling
    state.complete()
    return {
      source: { name: source.name, restUrl: source.restUrl },
      leftOut: source.leftOut,
      isContinued: begun.isContinued,
      outcomes,
      gone: missing.filter(({ rows }) => rows > 0),
      unforeseen: unforeseen.list(),
      dangling,
      paused: outcomes.find(({ resource }) => resource === Catalogue.byName.webhook.resource)?.counts.read ?? 0,
      seconds: (performance.now() - started) / 1000,
      rows: done
    }
  })
