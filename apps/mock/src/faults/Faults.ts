/**
 * The fault rules of a world. While none is armed, a request costs one comparison.
 */
import type * as AdminApi from "@mfgdata/client/AdminApi"
import * as Either from "effect/Either"
import type * as Exchange from "../Exchange.ts"
import type { RowError } from "../rows/RowError.ts"
import * as ArmedRule from "./ArmedRule.ts"
import * as FaultMatch from "./FaultMatch.ts"
import * as HeaderRules from "./HeaderRules.ts"
import type { LoadedFaults } from "./LoadedFaults.ts"
import * as Injection from "./Injection.ts"

export interface Faults {
  /** The name of the world. */
  readonly world: string
  /** The sets that can be armed. */
  readonly sets: Pick<LoadedFaults, "names" | "setOf">
  /** Arms rules at one moment. */
  readonly arm: (rules: ReadonlyArray<AdminApi.FaultRule>) => ReadonlyArray<AdminApi.Fault>
  readonly list: () => ReadonlyArray<AdminApi.Fault>
  /** The armed rules. */
  readonly rules: () => ReadonlyArray<AdminApi.FaultRule>
  /** Disarms a rule; undefined if there is none with this id. */
  readonly disarm: (id: string) => AdminApi.Fault | undefined
  /** Disarms all rules at one moment. */
  readonly clear: () => ReadonlyArray<AdminApi.Fault>
  /** Reports whether a request can have faults: a rule is armed, or its header names one. */
  readonly applies: (request: Exchange.Request) => boolean
  /** Decides the faults of a request; undefined if it has none. */
  readonly decide: (subject: FaultMatch.Subject) => Either.Either<Injection.Injection | undefined, RowError>
  /** Decides the fault of a delivery of an event of a resource. */
  readonly decideDelivery: (resource: string) => AdminApi.FaultRule["webhook"]
}

export interface Options extends LoadedFaults {
  readonly world: string
  /** The clock of the world, in milliseconds since 1970. */
  readonly now: () => number
}

const none = Either.right(undefined)
const noRules: Either.Either<ReadonlyArray<ArmedRule.ArmedRule>> = Either.right([])

type Rules = ReadonlyArray<ArmedRule.ArmedRule>

const toFault = ({ counts, id, rule }: ArmedRule.ArmedRule): AdminApi.Fault => ({ id, ...rule, ...counts() })

export const make = ({ armed: initial, byHeader, names, now, setOf, world }: Options): Faults => {
  const headerRules = HeaderRules.make(setOf, world)
  let armed: ReadonlyArray<ArmedRule.ArmedRule> = []
  let requests: ReadonlyArray<ArmedRule.ArmedRule> = []
  /** The rules that requests of a method can match, by the method; those for any resource and operation apart. */
  const ofMethods = new Map<string, { readonly all: Rules; readonly general: Rules }>()
  /** The resources and operations that rules are for. */
  let named: ReadonlySet<string> = new Set()
  let deliveries: ReadonlyArray<ArmedRule.ArmedRule> = []
  let count = 0
  const replace = (rules: ReadonlyArray<ArmedRule.ArmedRule>) => {
    armed = rules
    requests = rules.filter(({ rule }) => rule.webhook === undefined)
    ofMethods.clear()
    named = new Set(requests.flatMap(({ rule }) => FaultMatch.nameOf(rule.match) ?? []))
    deliveries = rules.filter(({ rule }) => rule.webhook !== undefined)
  }
  const ofMethod = (method: string) => {
    const known = ofMethods.get(method)
    if (known !== undefined) return known
    const all = requests.filter(({ rule }) => (rule.match?.method ?? method) === method)
    const found = { all, general: all.filter(({ rule }) => FaultMatch.nameOf(rule.match) === undefined) }
    ofMethods.set(method, found)
    return found
  }

  const arm = (rules: ReadonlyArray<AdminApi.FaultRule>) => {
    const added = rules.map((rule, position) => ArmedRule.make(rule, { id: `f${++count}`, position, world }))
    replace([...armed, ...added])
    return added.map(toFault)
  }
  arm(initial)

  return {
    world,
    sets: { names, setOf },
    arm,
    list: () => armed.map(toFault),
    rules: () => armed.map(({ rule }) => rule),
    disarm: (id) => {
      const found = armed.find((rule) => rule.id === id)
      if (found === undefined) return undefined
      replace(armed.filter((rule) => rule !== found))
      return toFault(found)
    },
    clear: () => {
      const cleared = armed
      replace([])
      return cleared.map(toFault)
    },
    applies: ({ headers }) => requests.length > 0 || (byHeader && headers[HeaderRules.header] !== undefined),
    decide: (subject) => {
      const text = byHeader ? subject.request.headers[HeaderRules.header] : undefined
      const own = text === undefined ? noRules : headerRules(text)
      if (Either.isLeft(own)) return Either.left(own.left)
      const { all, general } = ofMethod(subject.request.method)
      const armed = named.has(subject.resource ?? subject.operation ?? "") ? all : general
      let firings: Array<Injection.Firing> | undefined
      for (const rules of [own.right, armed]) {
        for (const { fire, id, matches, rule } of rules) {
          const draw = matches(subject) ? fire(now()) : undefined
          if (draw !== undefined) (firings ??= []).push({ id, rule, draw })
        }
      }
      return firings === undefined ? none : Either.right(Injection.make(firings))
    },
    decideDelivery: (resource) => {
      for (const { fire, rule } of deliveries) {
        if (rule.match?.resource !== undefined && rule.match.resource !== resource) continue
        if (fire(now()) !== undefined) return rule.webhook
      }
      return undefined
    }
  }
}
