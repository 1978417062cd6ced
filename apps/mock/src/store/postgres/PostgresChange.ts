/**
 * Combines the steps of a change into one statement, with each step in a `WITH` clause, where all see the rows as they
 * were before. Guards run first, in their order: a function raises an error at the first one that returns a row. Events
 * are published before the writes, because their queries read and lock the rows that change.
 */
import * as Either from "effect/Either"
import type { Change, Idempotency, Rows, Step, StoreRefusal } from "../../sql/Change.ts"
import type { Parameter, Statement, Value } from "../../sql/Statement.ts"
import type { Connection, PostgresError } from "./PostgresDriver.ts"
import type { Refused } from "../Store.ts"
import * as ChangeResult from "../ChangeResult.ts"

/** The results of the steps of a change. */
export interface StepResults {
  readonly results: ReadonlyArray<Rows>
  /** Set when the change has published events. */
  readonly hasEvents: boolean
}

/** The statement of a change, and the function that reads its rows. */
export interface CombinedStatement {
  readonly statement: Statement
  readonly read: (rows: Rows) => StepResults
}

/** The maximum number of steps in one statement. Planning more of them takes longer than running them. */
const maximumSteps = 24

type Named<Tag extends Step["_tag"]> = Extract<Step, { readonly _tag: Tag }>

const only = <Tag extends Step["_tag"]>(steps: ReadonlyArray<Step>, tag: Tag): ReadonlyArray<Named<Tag>> =>
  steps.filter((step): step is Named<Tag> => step._tag === tag)

/** The SQLSTATE of a refusal, which the function raises with the guard's number. */
const refused = "MFG01"

/** Collects statements and renumbers their parameters. */
const collector = () => {
  const parameters: Array<Parameter> = []
  return {
    parameters,
    add: ({ parameters: more, text }: Statement): string => {
      const offset = parameters.length
      parameters.push(...more)
      return offset === 0 ? text : text.replaceAll(/\$(\d+)/g, (_, position) => `$${Number(position) + offset}`)
    }
  }
}

type Collector = ReturnType<typeof collector>

const columns = (count: number): string => Array.from({ length: count }, (_, index) => `c${index}`).join(", ")

/** The rows of a run as one JSON value. */
const folded = (name: string, count: number): string =>
  count === 0 ? "NULL" : `(SELECT json_agg(json_build_array(${columns(count)})) FROM ${name})`

const unfold = (value: Value | undefined): Rows => (typeof value === "string" ? JSON.parse(value) : [])

/** The steps that publish events, and those that enqueue deliveries, which read the events under the outbox's name. */
const publishing = (steps: ReadonlyArray<Step>, { add }: Collector) => {
  const publishes = only(steps, "Publish")
  const items = publishes.map(({ statement }, index) => `t${index} AS (${add(statement)})`)
  const events = publishes.flatMap(({ returns }, index) => (returns === "events" ? [`SELECT * FROM t${index}`] : []))
  const deliveries = only(steps, "Enqueue").map(({ statement }, index) => `d${index} AS (${add(statement)})`)
  const counted = publishes.flatMap(({ returns }, index) => (returns === 0 ? [] : [`(SELECT count(*) FROM t${index})`]))
  return {
    items: events.length === 0 ? items : [...items, `"_outbox" AS (${events.join(" UNION ALL ")})`, ...deliveries],
    count: counted.length === 0 ? undefined : counted.join(" + ")
  }
}

/** Combines the steps of a change, if they fit into one statement. */
export const combine = ({ steps }: Pick<Change<unknown, unknown>, "steps">): CombinedStatement | undefined => {
  const runs = only(steps, "Run")
  const [first] = runs
  if (first === undefined) return undefined
  if (steps.length === 1) {
    return { statement: first.statement, read: (rows) => ({ results: [rows], hasEvents: false }) }
  }
  const isSilent = steps.some((step) => (step._tag === "Run" || step._tag === "Publish") && step.returns === undefined)
  if (isSilent || steps.length > maximumSteps) return undefined

  const all = collector()
  const { count, items } = publishing(steps, all)
  const done = runs.map(({ returns = 0, statement }, index) => {
    const text = all.add(statement)
    return returns === 0 ? `r${index} AS (${text})` : `r${index} (${columns(returns)}) AS (${text})`
  })
  const found = only(steps, "Guard").map(
    ({ statement }, index) => `(SELECT ${index} FROM (${all.add(statement)}) AS g LIMIT 1)`
  )
  // Evaluated before the rows below: guards raise their error here, and counting runs the steps that publish.
  const conditions = [
    ...(found.length === 0 ? [] : [`"_refuse"(coalesce(${found.join(", ")})) IS NULL`]),
    ...(count === undefined ? [] : [`${count} >= 0`])
  ]
  const where = conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`
  const eventCount = count ?? "0"
  const isOne = runs.length === 1 && first.returns !== 0
  const select = isOne
    ? `SELECT ${eventCount}, r0.* FROM r0 ${where}`
    : `SELECT ${[eventCount, ...runs.map(({ returns = 0 }, index) => folded(`r${index}`, returns))].join(", ")} ${where}`
  const { parameters } = all
  return {
    statement: { text: `WITH ${[...items, ...done].join(", ")} ${select}`, parameters },
    read: (rows) => ({
      hasEvents: Number(rows[0]?.[0] ?? 0) > 0,
      results: isOne ? [rows.map((row) => row.slice(1))] : runs.map((_, index) => unfold(rows[0]?.[index + 1]))
    })
  }
}

/** The refusal of the guard that failed a combined statement. */
export const refusalOf = (
  { steps }: Pick<Change<unknown, unknown>, "steps">,
  { code, message }: PostgresError
): StoreRefusal | undefined =>
  code === refused ? only(steps, "Guard")[Number(message.slice(refused.length + 2))]?.refusal : undefined

/** Loads the saved outcome of a change, and locks its name until the transaction ends. */
export const load = async (
  connection: Connection,
  { name, load }: Pick<Idempotency<unknown, unknown>, "name" | "load">
): Promise<Rows> => {
  await connection.execute({
    text: `SELECT 1 FROM pg_advisory_xact_lock(hashtextextended(current_schema() || ' ' || $1::text, 0))`,
    parameters: [name]
  })
  return connection.execute(load)
}

/** Sends the steps without waiting between them, and reads their results in order. */
export const inSequence = async (
  connection: Connection,
  steps: ReadonlyArray<Step>
): Promise<Either.Either<StepResults, Refused>> => {
  const result = ChangeResult.make()
  const responses = await Promise.allSettled(steps.map((step) => connection.execute(step.statement)))
  for (const [index, step] of steps.entries()) {
    const response = responses[index]
    if (response?.status !== "fulfilled") throw response?.reason
    const refused = ChangeResult.accept(result, step, response.value)
    if (refused !== undefined) return Either.left(refused)
  }
  return Either.right(result)
}
