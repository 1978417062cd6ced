/**
 * Runs calls of a client under faults, and compares each outcome with the rows of the service: a call that succeeds has
 * happened exactly once, one that fails has not, and an error that leaves the outcome open says so.
 */
import { type Caller, type HolidayId, type NewHoliday } from "./Caller.ts"
import type { ModelCommand } from "./ModelCommand.ts"

/** The service, without faults. */
export interface Truth {
  /** The names of all rows by their keys. */
  readonly rows: () => Promise<ReadonlyMap<string, string>>
  /** The ETag of a row. */
  readonly version: (id: string) => Promise<string>
  /** Changes a row. */
  readonly touch: (id: string, name: string) => Promise<void>
  readonly kill: () => Promise<void>
}

export interface Options {
  readonly caller: Caller
  readonly truth: Truth
  readonly companyId: NewHoliday["companyId"]
  /** The longest that a call may take, in milliseconds by `now`. */
  readonly longestMillis: number
  readonly now: () => number
}

/** An outcome that the client must not report. */
class WrongOutcome extends Error {
  override readonly name = "WrongOutcome"
}

/** The numbers of outcomes. */
export interface Counts {
  readonly calls: number
  readonly succeeded: number
  readonly failed: number
  readonly unknown: number
}

/** The errors after which a write may have happened or not. */
const open = new Set(["Unreachable", "ServiceUnavailable", "RateLimited", "ResponseMalformed"])

type Outcome<A> =
  | { readonly _tag: "Succeeded"; readonly value: A }
  /** The client says that the write has happened, without its response. */
  | { readonly _tag: "Written" }
  | { readonly _tag: "Unknown"; readonly error: string }
  | { readonly _tag: "Failed"; readonly error: string }

interface TaggedError {
  readonly _tag: string
  readonly written?: boolean
}

const isTagged = (error: unknown): error is TaggedError =>
  typeof error === "object" && error !== null && "_tag" in error && typeof error._tag === "string"

const outcomeOf = (error: unknown): Exclude<Outcome<never>, { readonly _tag: "Succeeded" }> => {
  if (!isTagged(error)) throw error
  if (error.written === true) return { _tag: "Written" }
  return { _tag: open.has(error._tag) ? "Unknown" : "Failed", error: error._tag }
}

const attempt = async <A>(call: Promise<A>): Promise<Outcome<A>> => {
  try {
    return { _tag: "Succeeded", value: await call }
  } catch (error) {
    return outcomeOf(error)
  }
}

type Rows = ReadonlyMap<string, string>

const show = (rows: Rows): string => JSON.stringify([...rows])

const isSame = (one: Rows, other: Rows): boolean =>
  one.size === other.size && [...one].every(([id, name]) => other.get(id) === name)

const withRow = (rows: Rows, id: string, name: string): Rows => new Map(rows).set(id, name)

const without = (rows: Rows, id: string): Rows => new Map([...rows].filter(([key]) => key !== id))

const sorted = (rows: ReadonlyArray<readonly [id: string, name: string]>) =>
  rows.toSorted(([one], [other]) => (one < other ? -1 : 1))

/** A run of calls against one service. */
export interface ModelRun {
  readonly run: (command: ModelCommand) => Promise<void>
  readonly counts: () => Counts
}

export const make = ({ caller, companyId, longestMillis, now, truth }: Options): ModelRun => {
  const counts = { calls: 0, succeeded: 0, failed: 0, unknown: 0 }
  const ids: Array<string> = []
  let number = 0
  const wrong = (command: ModelCommand, problem: string) => new WrongOutcome(`${JSON.stringify(command)}: ${problem}`)
  const values = (name: string): NewHoliday => ({ name, date: "2027-05-01" as NewHoliday["date"], companyId })

  const timed = async <A>(command: ModelCommand, call: () => Promise<A>): Promise<Outcome<A>> => {
    const start = now()
    const outcome = await attempt(call())
    const millis = now() - start
    counts.calls += 1
    if (outcome._tag === "Unknown") counts.unknown += 1
    else if (outcome._tag === "Failed") counts.failed += 1
    else counts.succeeded += 1
    if (millis > longestMillis) throw wrong(command, `it took ${Math.round(millis)} ms of ${longestMillis} ms`)
    return outcome
  }

  /** Compares the rows after a write with those that its outcome allows. */
  const judge = (command: ModelCommand, outcome: Outcome<unknown>, before: Rows, written: Rows, after: Rows): void => {
    const hasHappened = isSame(after, written)
    const hasNot = isSame(after, before)
    const isAllowed =
      outcome._tag === "Unknown" ? hasHappened || hasNot : outcome._tag === "Failed" ? hasNot : hasHappened
    if (isAllowed) return
    const error = "error" in outcome ? ` with ${outcome.error}` : ""
    throw wrong(
      command,
      `${outcome._tag}${error}, but the rows went from ${show(before)} to ${show(after)}; a write would be ${show(written)}`
    )
  }

  /** The rows after new rows, whose names must be unique among all. */
  const judgeNew = (
    command: ModelCommand,
    names: ReadonlyArray<Outcome<{ readonly id: string }> & { readonly name: string }>,
    before: Rows,
    after: Rows
  ): void => {
    const added = [...after].filter(([id]) => !before.has(id))
    const expected = names.map(({ name }) => name)
    if (!isSame(before, new Map([...after].filter(([id]) => before.has(id)))))
      throw wrong(command, "other rows changed")
    if (added.some(([, name]) => !expected.includes(name)))
      throw wrong(command, `a row that nobody created: ${show(after)}`)
    for (const outcome of names) {
      const found = added.filter(([, name]) => name === outcome.name)
      const isAllowed =
        outcome._tag === "Unknown"
          ? found.length <= 1
          : outcome._tag === "Failed"
            ? found.length === 0
            : found.length === 1
      if (!isAllowed) throw wrong(command, `${outcome._tag}, but ${found.length} rows are named ${outcome.name}`)
      if (outcome._tag === "Succeeded" && found[0]?.[0] !== outcome.value.id) {
        throw wrong(command, `the response has the key ${outcome.value.id}, the row ${found[0]?.[0]}`)
      }
    }
    ids.push(...added.map(([id]) => id))
  }

  const expectValue = (command: ModelCommand, outcome: Outcome<unknown>, expected: unknown): void => {
    if (outcome._tag === "Failed") throw wrong(command, `failed with ${outcome.error}`)
    if (outcome._tag !== "Succeeded") return
    const [got, wanted] = [JSON.stringify(outcome.value), JSON.stringify(expected)]
    if (got !== wanted) throw wrong(command, `expected ${wanted}, got ${got}`)
  }

  const entries = (
    rows: ReadonlyArray<{ readonly id: string; readonly name: string }>
  ): ReadonlyArray<[string, string]> => rows.map(({ id, name }) => [id, name])

  /** A write of one row: `written` are the rows if it happens, and a row that is missing fails it. */
  const write = async <A>(
    command: ModelCommand,
    before: Rows,
    written: Rows | undefined,
    call: () => Promise<A>
  ): Promise<void> => {
    const outcome = await timed(command, call)
    const after = await truth.rows()
    if (written !== undefined) return judge(command, outcome, before, written, after)
    // A repeated removal does not know whether its first request has removed the row, which is gone either way.
    if (command._tag === "Remove") return judge(command, outcome, before, before, after)
    if (outcome._tag === "Succeeded" || outcome._tag === "Written") throw wrong(command, "succeeded without its row")
    judge(command, outcome, before, before, after)
  }

  const run = async (command: ModelCommand): Promise<void> => {
    const before = await truth.rows()
    // A key of a row, or of one that is gone; before the first create, a key that no row has.
    const id = ("row" in command ? ids[command.row % Math.max(1, ids.length)] : undefined) ?? "nothing"
    const key = id as HolidayId
    const name = `n${++number}`
    const current = before.get(id)
    switch (command._tag) {
      case "Create": {
        const outcome = await timed(command, () => caller.create(values(name)))
        return judgeNew(command, [{ ...outcome, name }], before, await truth.rows())
      }
      case "CreateMany": {
        const names = Array.from({ length: command.count }, (_, index) => `${name}-${index}`)
        const outcome = await timed(command, () => caller.createMany(names.map(values)))
        if (outcome._tag !== "Succeeded") throw wrong(command, "createMany fails for each row, never as a whole")
        const results = outcome.value.map(({ error, row }, index) => ({
          ...(row === undefined ? outcomeOf(error) : { _tag: "Succeeded" as const, value: row }),
          name: names[index] ?? ""
        }))
        return judgeNew(command, results, before, await truth.rows())
      }
      case "Update":
        return write(command, before, current === undefined ? undefined : withRow(before, id, name), () =>
          caller.update(key, name)
        )
      case "UpdateVersion":
      case "RemoveVersion": {
        if (current === undefined) return
        const version = await truth.version(id)
        if (command.isStale) await truth.touch(id, `${name}-touched`)
        const start = await truth.rows()
        const isUpdate = command._tag === "UpdateVersion"
        const written = isUpdate ? withRow(start, id, name) : without(start, id)
        return write<unknown>(command, start, command.isStale ? undefined : written, () =>
          isUpdate ? caller.update(key, name, version) : caller.remove(key, version)
        )
      }
      case "Modify":
        return write(command, before, current === undefined ? undefined : withRow(before, id, `${current}+`), () =>
          caller.modify(key, (name) => `${name}+`)
        )
      case "Upsert": {
        const own = current === undefined && !ids.includes(id) ? `own${number}` : id
        await write(command, before, withRow(before, own, name), () =>
          caller.upsert({ ...values(name), id: own as HolidayId })
        )
        if (!ids.includes(own)) ids.push(own)
        return
      }
      case "Remove":
        return write(command, before, current === undefined ? undefined : without(before, id), () => caller.remove(key))
      case "Retrieve": {
        const outcome = await timed(command, () => caller.retrieve(key))
        if (current === undefined && outcome._tag === "Failed" && outcome.error === "RowNotFound") return
        return expectValue(
          command,
          outcome._tag === "Succeeded" ? { ...outcome, value: outcome.value.name } : outcome,
          current
        )
      }
      case "Find": {
        const outcome = await timed(command, () => caller.find(key))
        return expectValue(
          command,
          outcome._tag === "Succeeded" ? { ...outcome, value: outcome.value?.name } : outcome,
          current
        )
      }
      case "List":
      case "Stream": {
        const outcome = await timed(command, command._tag === "List" ? caller.list : caller.stream)
        return expectValue(
          command,
          outcome._tag === "Succeeded" ? { ...outcome, value: sorted(entries(outcome.value)) } : outcome,
          sorted([...before])
        )
      }
      case "Count":
        return expectValue(command, await timed(command, caller.count), before.size)
      case "Kill": {
        await truth.kill()
        const after = await truth.rows()
        if (!isSame(before, after)) throw wrong(command, `the rows went from ${show(before)} to ${show(after)}`)
        return
      }
    }
  }

  return { run, counts: () => ({ ...counts }) }
}
