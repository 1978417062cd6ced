/**
 * Keeps the surveys of a long comparison in a file, so that a run that was stopped continues with the next resource.
 */
import type { Survey } from "@mfgdata/client/contract/Observation"
import * as Effect from "effect/Effect"
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"

export interface Surveys {
  /** The survey of an earlier run, or that of the effect, which is kept. */
  readonly resume: <E>(resource: string, survey: Effect.Effect<Survey, E>) => Effect.Effect<Survey, E>
  /** The number of resources that an earlier run has read. */
  readonly resumed: number
  /** Removes the file. */
  readonly finish: Effect.Effect<void>
}

/** Keeps nothing. */
export const none: Surveys = { resume: (_, survey) => survey, resumed: 0, finish: Effect.void }

/** The age of a file that is not used any more: the service has changed since. */
const longestAge = 24 * 60 * 60 * 1000

interface Header {
  readonly run: string
  readonly at: number
}

/** The surveys of a file that a run of the same kind wrote; a line that was cut is left out. */
const read = (
  path: string,
  run: string,
  now: number
): { readonly at: number; readonly kept: ReadonlyMap<string, Survey> } => {
  const nothing = { at: now, kept: new Map<string, Survey>() }
  if (!existsSync(path)) return nothing
  const lines = readFileSync(path, "utf8").split("\n").slice(0, -1)
  // This module wrote the lines.
  const parsed = lines.map((line): unknown => JSON.parse(line))
  const [header, ...surveys] = parsed as [Header | undefined, ...ReadonlyArray<readonly [string, Survey]>]
  return header?.run === run && now - header.at < longestAge ? { at: header.at, kept: new Map(surveys) } : nothing
}

/** Opens the file of a run. `run` names its services and settings: surveys of another run are not used. */
export const open = (path: string, run: string, now: number): Effect.Effect<Surveys> =>
  Effect.sync(() => {
    const { at, kept } = read(path, run, now)
    const lines = [{ run, at } satisfies Header, ...kept].map((line) => `${JSON.stringify(line)}\n`)
    writeFileSync(path, lines.join(""), { mode: 0o600 })
    return {
      resumed: kept.size,
      resume: (resource, survey) => {
        const known = kept.get(resource)
        return known === undefined
          ? Effect.tap(survey, (survey) =>
              Effect.sync(() => appendFileSync(path, `${JSON.stringify([resource, survey])}\n`))
            )
          : Effect.succeed(known)
      },
      finish: Effect.sync(() => rmSync(path, { force: true }))
    }
  })
