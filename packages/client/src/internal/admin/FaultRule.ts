/**
 * Declares fault rules: the requests that a rule matches, the matches on which it fires, and its effects. A rule that can
 * never fire is refused.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Operations from "@mfgdata/domain/Operations"
import * as Text from "@mfgdata/domain/Text"
import * as Timestamp from "@mfgdata/domain/Timestamp"
import * as Schema from "effect/Schema"
import * as AdminField from "./AdminField.ts"

const literals = <A extends string>(names: ReadonlyArray<A>, description: string) =>
  Schema.String.pipe(
    Schema.filter((text): text is A => names.some((name) => name === text), {
      message: ({ actual }) => `Expected ${description}, actual ${JSON.stringify(actual)}`
    })
  )

const Method = Schema.Literal("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")

// The keys of the catalogue are its names.
const Resource = literals(Object.keys(Catalogue.byName) as ReadonlyArray<Catalogue.Name>, "the name of a resource")
const OperationName = literals(
  Operations.all.flatMap(({ id, name }) => [id, name]),
  "the name of an account operation"
)

const Count = Schema.Int.pipe(Schema.between(1, 1_000_000_000))
const Bytes = Schema.Int.pipe(Schema.between(1, 1_000_000_000))
const day = 86_400_000
const Millis = Schema.Number.pipe(Schema.between(0, day))
const HeaderName = Schema.String.pipe(Schema.pattern(/^[\w!#$%&'*+.^`|~-]+$/, { description: "the name of a header" }))
/** `Trailer` needs a response in chunks, and rules send none. */
const ResponseHeaderName = Schema.String.pipe(
  Schema.pattern(/^(?!trailer$)[\w!#$%&'*+.^`|~-]+$/i, { description: "the name of a header other than Trailer" })
)
const HeaderValue = Schema.String.pipe(
  Schema.pattern(/^[\t\u0020-\u007e\u0080-\u00ff]*$/, {
    message: ({ actual }) =>
      `Expected the value of a header, without line breaks and characters beyond U+00FF, actual ${JSON.stringify(actual)}`
  })
)
const Headers = Schema.Record({ key: HeaderName, value: HeaderValue })
const ResponseHeaders = Schema.Record({ key: ResponseHeaderName, value: HeaderValue })
const Path = Schema.String.pipe(
  Schema.pattern(/^[/*]/, {
    message: ({ actual }) => `Expected a path that begins with / or *, actual ${JSON.stringify(actual)}`
  })
)

/** The requests that a rule matches: those that have every property. Without properties, all rows and operations. */
export const Match = Schema.Struct({
  method: AdminField.optional(Method),
  resource: AdminField.optional(Resource),
  /** The name of an operation, or its id such as `account.getCurrentUser`. */
  operation: AdminField.optional(OperationName),
  /** A path; `*` matches any text. Rules without a path match rows and operations only. */
  path: AdminField.optional(Path),
  /** The world in which the rule is armed. */
  world: AdminField.optional(Text.NonEmpty),
  /** The name or the id of an API key. */
  key: AdminField.optional(Text.NonEmpty),
  /** Headers by name, in any case; `*` matches any value. */
  header: AdminField.optional(Headers),
  /** The minimum size of the body in bytes. */
  bodyBytes: AdminField.optional(Bytes)
})
export type Match = typeof Match.Type

const isAscending = ([low, high]: readonly [number, number]): boolean => low <= high

/** A distribution of milliseconds. */
export const Latency = Schema.Union(
  Schema.Struct({ fixed: Millis }),
  Schema.Struct({ uniform: Schema.Tuple(Millis, Millis).pipe(Schema.filter(isAscending)) }),
  /** The mean and the standard deviation; what is below zero counts as zero. */
  Schema.Struct({ normal: Schema.Tuple(Millis, Millis) }),
  /** A long tail through two percentiles. */
  Schema.Struct({ p50: Millis, p99: Millis }).pipe(Schema.filter(({ p50, p99 }) => isAscending([p50, p99])))
).annotations({
  message: () => ({
    message:
      'Expected {"fixed": ms}, {"uniform": [ms, ms]}, {"normal": [mean, deviation]} or {"p50": ms, "p99": ms}, each from 0 to a day, the lower one first',
    override: true
  })
})
export type Latency = typeof Latency.Type

const Moment = Schema.Literal("before-commit", "after-commit")

const requestEffects = {
  latency: AdminField.optional(Latency),
  /** Bytes a second of the response (`down`) and of the request (`up`). */
  bandwidth: AdminField.optional(Schema.Struct({ down: AdminField.optional(Bytes), up: AdminField.optional(Bytes) })),
  /** Responds in place of the service. */
  status: AdminField.optional(Schema.Int.pipe(Schema.between(200, 599))),
  /** The headers of the response, or of that of the service without `status`. */
  headers: AdminField.optional(ResponseHeaders),
  /** The body of the response: text, or a value that is sent as JSON. */
  body: AdminField.optional(Schema.Unknown),
  /** Closes the connection without a response, before the service handles the request or after its commit. */
  reset: AdminField.optional(Moment),
  /** Leaves the request without a response. */
  hang: AdminField.optional(Moment),
  /** The part of the body that is sent before the connection is closed. */
  truncate: AdminField.optional(Schema.Number.pipe(Schema.greaterThanOrEqualTo(0), Schema.lessThan(1))),
  /** Breaks the syntax of the body. */
  malform: AdminField.optional(Schema.Literal(true)),
  contentType: AdminField.optional(HeaderValue),
  /** Answers a read as of these seconds ago. */
  stale: AdminField.optional(Schema.Number.pipe(Schema.greaterThan(0), Schema.lessThanOrEqualTo(day))),
  /** Responds as without a store. */
  store: AdminField.optional(Schema.Literal("unavailable")),
  /** The seconds by which the header `Date` is wrong. */
  skew: AdminField.optional(Schema.Number.pipe(Schema.between(-day, day)))
} as const

const schedule = {
  /** The part of the matches on which the rule fires. */
  probability: AdminField.optional(
    Schema.Number.pipe(
      Schema.filter((part) => part > 0 && part <= 1, {
        message: ({ actual }) => `Expected a number above 0 and up to 1, actual ${JSON.stringify(actual)}`
      })
    )
  ),
  /** Fires on every n-th match. */
  every: AdminField.optional(Count),
  /** The number of times that the rule fires at most. */
  times: AdminField.optional(Count),
  /** The rule fires on the first matches only. */
  first: AdminField.optional(Count),
  /** The number of matches that pass before the rule fires, as a quota. */
  after: AdminField.optional(Count),
  /** The period in which the rule fires, by the clock of the world. */
  from: AdminField.optional(Timestamp.Timestamp),
  until: AdminField.optional(Timestamp.Timestamp),
  /** The seed of the decisions (default 1). */
  seed: AdminField.optional(Schema.Int)
} as const

type Fields = Schema.Struct.Type<typeof requestEffects & typeof schedule> & {
  readonly match?: Match
  readonly webhook?: unknown
}

/** An effect on a delivery. */
const WebhookEffect = Schema.Literal("duplicate", "delay", "reorder", "drop")

const requestEffectNames = Object.keys(requestEffects)

const issue = (path: string, message: string) => ({ path: path.split("."), message })

/** The contradictions of a rule, because of which it could never fire, or of which only one part would happen. */
const contradictions = (rule: Fields) => {
  const { match = {} } = rule
  const effects = Object.keys(rule).filter((name) => requestEffectNames.includes(name))
  const isRead = match.method === "GET" || match.method === "HEAD"
  const answers = (["status", "store"] as const).filter((name) => rule[name] !== undefined)
  const [first, second] = [...answers, ...(["reset", "hang"] as const).filter((name) => rule[name] !== undefined)]
  return [
    effects.length === 0 && rule.webhook === undefined
      ? issue("effect", `a rule needs an effect: ${requestEffectNames.join(", ")} or webhook`)
      : undefined,
    rule.webhook !== undefined && effects.length > 0
      ? issue("webhook", `a rule with webhook has no other effect, but this one has ${effects.join(", ")}`)
      : undefined,
    ...(rule.webhook === undefined
      ? []
      : (["method", "operation", "path", "key", "header", "bodyBytes"] as const).map((name) =>
          match[name] === undefined
            ? undefined
            : issue(`match.${name}`, "a delivery to a webhook has a resource and a world only")
        )),
    rule.probability !== undefined && rule.every !== undefined
      ? issue("every", "probability and every exclude each other")
      : undefined,
    rule.first !== undefined && rule.after !== undefined && rule.after >= rule.first
      ? issue(
          "after",
          `the rule can never fire: it would have to pass ${rule.after} of the first ${rule.first} matches`
        )
      : undefined,
    rule.first !== undefined && rule.every !== undefined && rule.every > rule.first
      ? issue("every", `the rule can never fire: the first ${rule.first} matches have no ${rule.every}th`)
      : undefined,
    rule.from !== undefined &&
    rule.until !== undefined &&
    Timestamp.toMicros(rule.from) >= Timestamp.toMicros(rule.until)
      ? issue("until", "the rule can never fire: until is not after from")
      : undefined,
    match.resource !== undefined && match.operation !== undefined
      ? issue("match.operation", "the rule can never fire: a request has a resource or an operation")
      : undefined,
    rule.stale !== undefined && match.method !== undefined && !isRead
      ? issue("stale", "the rule can never fire: only GET and HEAD read rows")
      : undefined,
    rule.stale !== undefined && match.operation !== undefined
      ? issue("stale", "the rule can never fire: only reads of rows can be stale")
      : undefined,
    second !== undefined ? issue(second, `${String(first)} and ${second} exclude each other`) : undefined,
    rule.bandwidth !== undefined && rule.bandwidth.down === undefined && rule.bandwidth.up === undefined
      ? issue("bandwidth", "bandwidth needs down or up")
      : undefined,
    rule.body !== undefined && rule.status === undefined
      ? issue("body", "body needs status: a response of the service keeps its body")
      : undefined
  ].filter((found) => found !== undefined)
}

const fields = {
  name: AdminField.optional(Text.NonEmpty),
  match: AdminField.optional(Match),
  ...schedule,
  ...requestEffects,
  /** The effect on a delivery to a webhook; `resource` of the match is the one of its event. */
  webhook: AdminField.optional(WebhookEffect)
} as const

/** A rule. */
export const FaultRule = Schema.Struct(fields).pipe(Schema.filter(contradictions))
export type FaultRule = typeof FaultRule.Type

/** A rule, or the name of a set of rules. */
export const FaultRequest = Schema.Struct({ set: AdminField.optional(Text.NonEmpty), ...fields }).pipe(
  Schema.filter(({ set, ...rule }) => {
    if (set === undefined) return contradictions(rule)
    const others = Object.keys(rule)
    return others.length === 0 ? [] : [issue("set", `set excludes ${others.join(", ")}`)]
  })
)
export type FaultRequest = typeof FaultRequest.Type

/** An armed rule. */
export const Fault = Schema.Struct({
  id: Schema.String,
  ...fields,
  /** The number of requests or deliveries that the rule has matched, and on which it has fired. */
  matched: Schema.Int,
  fired: Schema.Int
})
export type Fault = typeof Fault.Type

/** The sets that every service has. */
export const readySets = [
  "flaky-network",
  "slow-mobile",
  "overloaded",
  "lost-answers",
  "failover",
  "hostile-gateway"
] as const
export type ReadySet = (typeof readySets)[number]

/** Sets of rules by name: the contents of a file of faults. */
export const FaultFile = Schema.Record({ key: Text.NonEmpty, value: Schema.Array(FaultRule) })
