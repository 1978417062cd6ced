/**
 * Combines the steps of a change into one statement, with each step in a `WITH` clause, where all see the rows as they
 * were before. Guards run first, in their order: a function raises an error at the first one that returns a row. Events
 * are published before the writes, because their queries read and lock the rows that change.
 */
import * as Arr from "effect/Array"
import * as Either from "effect/Either"
import type { Change, Idempotency, Rows, Step, StoreRefusal } from "../../sql/Change.ts"
import { retried } from "../../sql/postgres/PostgresDialect.ts"
import type { Statement, Value } from "../../sql/Statement.ts"
import type { Connection } from "./PostgresDriver.ts"
import * as PostgresRecorder from "./PostgresRecorder.ts"
import type { OwnedTable } from "../../sql/Owner.ts"
import { PostgresError } from "./connection/PostgresError.ts"
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

/** The steps that end a change if their statement returns a row, or a large number. */
type Check = Named<"Guard"> | Named<"Unsubscribed"> | Named<"Count">

const checksOf = (steps: ReadonlyArray<Step>): ReadonlyArray<Check> =>
  steps.filter((step): step is Check => ["Guard", "Unsubscribed", "Count"].includes(step._tag))

type Named<Tag extends Step["_tag"]> = Extract<Step, { readonly _tag: Tag }>

const only = <Tag extends Step["_tag"]>(steps: ReadonlyArray<Step>, tag: Tag): ReadonlyArray<Named<Tag>> =>
  steps.filter((step): step is Named<Tag> => step._tag === tag)

/** The SQLSTATE of a refusal, which the function raises with the guard's number. */
const refused = "MFG01"

/** Renumbers the parameters of statements. */
const collector = () => {
  let count = 0
  return {
    add: ({ parameters, text }: Statement): string => {
      const offset = count
      count += parameters.length
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

/** The largest number that a function of the store can raise. */
const largest = 2 ** 31 - 1

/** Selects the count that exceeds its limit, as a negative number: that of a guard is not. */
const excess = ({ limit }: Named<"Count">, text: string): string =>
  `SELECT -least("count", ${largest})::integer FROM (${text}) AS g ("count") WHERE "count" > ${limit}`

/** Builds the text of the statement that combines some steps, with the origin of the change as its last parameter. */
const textOf = (steps: ReadonlyArray<Step>, runs: ReadonlyArray<Named<"Run">>, isRecorded: boolean): string => {
  const all = collector()
  const { count, items } = publishing(steps, all)
  const done = runs.map(({ returns = 0, statement }, index) => {
    const text = all.add(statement)
    return returns === 0 ? `r${index} AS (${text})` : `r${index} (${columns(returns)}) AS (${text})`
  })
  const found = checksOf(steps).map((check, index) => {
    const text = all.add(check.statement)
    return check._tag === "Count" ? `(${excess(check, text)})` : `(SELECT ${index} FROM (${text}) AS g LIMIT 1)`
  })
  // Evaluated before the rows below: guards raise their error here, and counting runs the steps that publish.
  const conditions = [
    ...(isRecorded ? [all.add({ text: PostgresRecorder.condition("$1"), parameters: [null] })] : []),
    ...(found.length === 0 ? [] : [`"_refuse"(coalesce(${found.join(", ")})) IS NULL`]),
    ...(count === undefined ? [] : [`${count} >= 0`])
  ]
  const where = conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`
  const eventCount = count ?? "0"
  const select = isOne(runs)
    ? `SELECT ${eventCount}, r0.* FROM r0 ${where}`
    : `SELECT ${[eventCount, ...runs.map(({ returns = 0 }, index) => folded(`r${index}`, returns))].join(", ")} ${where}`
  return `WITH ${[...items, ...done].join(", ")} ${select}`
}

/** Reports whether the rows of the only run are those of the statement. */
const isOne = (runs: ReadonlyArray<Named<"Run">>): boolean => runs.length === 1 && runs[0]?.returns !== 0

/** The steps in the order of their parameters in the text. */
const inOrder = (steps: ReadonlyArray<Step>, runs: ReadonlyArray<Step>): ReadonlyArray<Step> => [
  ...only(steps, "Publish"),
  ...only(steps, "Enqueue"),
  ...runs,
  ...checksOf(steps)
]

/** The texts of the combined statements by the texts of their steps. */
const texts = new Map<string, string>()

/** The maximum number of texts, and the length of the texts of their steps. */
const capacity = { texts: 512, length: 16_384 }

const shapeOf = (step: Step): string => `${step._tag} ${"returns" in step ? step.returns : ""} ${step.statement.text}`

const memoized = (steps: ReadonlyArray<Step>, runs: ReadonlyArray<Named<"Run">>, isRecorded: boolean): string => {
  const shape = steps.map(shapeOf).join("\n") + (isRecorded ? "\norigin" : "")
  const known = texts.get(shape)
  if (known !== undefined) return known
  const text = textOf(steps, runs, isRecorded)
  if (texts.size === capacity.texts) texts.clear()
  if (shape.length <= capacity.length) texts.set(shape, text)
  return text
}

/** Combines the steps of a change, if they fit into one statement. A change that is recorded has an origin. */
export const combine = (
  { steps }: Pick<Change<unknown, unknown>, "steps">,
  origin?: string
): CombinedStatement | undefined => {
  const runs = only(steps, "Run")
  const [first] = runs
  if (first === undefined) return undefined
  if (steps.length === 1 && (origin === undefined || first.returns === undefined)) {
    return { statement: first.statement, read: (rows) => ({ results: [rows], hasEvents: false }) }
  }
  const isSilent = steps.some((step) => (step._tag === "Run" || step._tag === "Publish") && step.returns === undefined)
  if (isSilent || steps.length > maximumSteps) return undefined
  const given = inOrder(steps, runs).flatMap(({ statement }) => statement.parameters)
  const parameters = origin === undefined ? given : [...given, origin]
  return {
    statement: { text: memoized(steps, runs, origin !== undefined), parameters },
    read: (rows) => ({
      hasEvents: Number(rows[0]?.[0] ?? 0) > 0,
      results: isOne(runs) ? [rows.map((row) => row.slice(1))] : runs.map((_, index) => unfold(rows[0]?.[index + 1]))
    })
  }
}

/** The number of the check that failed a combined statement. */
const failedNumber = ({ code, message }: PostgresError): number | undefined =>
  code === refused ? Number(message.slice(refused.length + 2)) : undefined

/** The check that failed a combined statement. */
const failedCheck = (steps: ReadonlyArray<Step>, error: PostgresError): Check | undefined =>
  checksOf(steps)[failedNumber(error) ?? steps.length]

/** Reports whether a change may succeed when it is tried again. */
export const isTransient = (error: PostgresError): boolean => error.isTransient || failedNumber(error) === retried

/** The refusal of the guard or the count that failed a combined statement. */
export const refusalOf = (
  { steps }: Pick<Change<unknown, unknown>, "steps">,
  error: PostgresError
): StoreRefusal | undefined => {
  const check = failedCheck(steps, error)
  if (check?._tag === "Guard") return check.refusal
  const number = failedNumber(error) ?? 0
  const [count] = only(steps, "Count")
  return number < retried && count !== undefined ? ChangeResult.refusalOf(count, -number)?.refusal : undefined
}

/** The rows of which a change has found a subscriber, against its expectation. */
export const subscribedRows = (
  { steps }: Pick<Change<unknown, unknown>, "steps">,
  error: unknown
): OwnedTable | undefined => {
  if (error instanceof ChangeResult.SubscriberFound) return error
  const check = error instanceof PostgresError ? failedCheck(steps, error) : undefined
  return check?._tag === "Unsubscribed" ? check.owned : undefined
}

/** The change with the steps that write its events. */
export const withEvents = <A, E>(change: Change<A, E>): Change<A, E> => ({
  ...change,
  steps: change.steps.flatMap((step) => (step._tag === "Unsubscribed" ? step.otherwise() : [step]))
})

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

/** Reports whether a step reads the published events of a change. */
const isAfterEvents = (step: Step): boolean =>
  step._tag === "Enqueue" || (step._tag === "Count" && step.isOfEvents === true)

/**
 * Divides the steps of a sequence into those of one statement each. A write is in the statement of the events before it,
 * so that both see the same rows: an event that was written for a new row could otherwise be one of a row that another
 * change has committed meanwhile. Deliveries follow, for the events of all statements.
 */
const statementsOf = (steps: ReadonlyArray<Step>): ReadonlyArray<ReadonlyArray<Step>> => {
  const divided: Array<ReadonlyArray<Step>> = []
  let published: Array<Step> = []
  for (const step of steps) {
    if (step._tag === "Publish" ? step.returns !== undefined : isAfterEvents(step) && published.length > 0) {
      published.push(step)
      continue
    }
    const [later, events] = Arr.partition(published, (step) => !isAfterEvents(step))
    if (step._tag === "Run" && step.returns !== undefined && events.length > 0) {
      divided.push([...events, step], ...later.map((alone) => [alone]))
    } else divided.push(...[...published, step].map((alone) => [alone]))
    published = []
  }
  return [...divided, ...published.map((alone) => [alone])]
}

/** A statement of a sequence. */
interface Sent {
  readonly statement: Statement
  readonly accept: (rows: Rows) => Refused | undefined
}

/** The statement of a step by itself. A count fails, because the next statements are sent before it is read. */
const byItself = (step: Step): Statement =>
  step._tag === "Count"
    ? {
        text: `SELECT "_refuse"(number) FROM (${excess(step, step.statement.text)}) AS g (number)`,
        parameters: step.statement.parameters
      }
    : step.statement

const toSent =
  (result: ChangeResult.ChangeResult) =>
  (steps: ReadonlyArray<Step>): ReadonlyArray<Sent> => {
    const combined = steps.length === 1 ? undefined : combine({ steps })
    if (combined !== undefined) {
      return [{ statement: combined.statement, accept: (rows) => ChangeResult.add(result, combined.read(rows)) }]
    }
    return steps.map((step) => ({
      statement: byItself(step),
      accept: (rows) => ChangeResult.accept(result, step, rows)
    }))
  }

/** Sends the statements without waiting between them, and reads their results in order. */
export const inSequence = async (
  connection: Connection,
  steps: ReadonlyArray<Step>
): Promise<Either.Either<StepResults, Refused>> => {
  const result = ChangeResult.make()
  const sent = statementsOf(steps).flatMap(toSent(result))
  const responses = await Promise.allSettled(sent.map(({ statement }) => connection.execute(statement)))
  for (const [index, { accept }] of sent.entries()) {
    const response = responses[index]
    if (response?.status !== "fulfilled") throw response?.reason
    const refused = accept(response.value)
    if (refused !== undefined) return Either.left(refused)
  }
  return Either.right(result)
}
