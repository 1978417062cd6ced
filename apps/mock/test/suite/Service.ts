/**
 * Runs a service on a store of its own, with two independent companies, and sends requests as their members.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Column from "@mfgdata/domain/Column"
import { CompanyId, UserId } from "@mfgdata/domain/Ids"
import type { JsonObject } from "@mfgdata/domain/Json"
import { assert } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type * as Exchange from "../../src/Exchange.ts"
import * as Seeder from "../../src/seeds/Seeder.ts"
import * as Instance from "../../src/service/Instance.ts"
import * as Settings from "../../src/Settings.ts"
import * as Conformance from "./Conformance.ts"

/** Returns a new, empty store. */
export type Fresh = Effect.Effect<Settings.Settings["store"], never, Scope.Scope>

/** Two members of one company, and one of another. */
export const members = {
  operator: { companyId: CompanyId.make("acme"), userId: UserId.make("operator") },
  colleague: { companyId: CompanyId.make("acme"), userId: UserId.make("colleague") },
  rival: { companyId: CompanyId.make("rival"), userId: UserId.make("rival") }
}
export type Who = keyof typeof members

const names = ["operator", "colleague", "rival"] as const satisfies ReadonlyArray<Who>

const user = (who: Who) => ({
  id: members[who].userId,
  companyIds: [members[who].companyId],
  email: `${who}@example.com`,
  firstName: who,
  lastName: "Desk"
})

const seed = {
  companies: [
    { id: "acme", name: "Acme" },
    { id: "rival", name: "Rival" }
  ],
  users: names.map(user),
  rows: {}
}

export interface Asking {
  readonly as?: Who
  /** Names in lower case. */
  readonly headers?: Exchange.Headers
  /** Text and bytes are sent unchanged, other values as JSON. */
  readonly body?: unknown
}

export class Reply {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Exchange.Headers
  readonly text: string

  constructor({ body, headers, status }: Exchange.Response) {
    this.status = status
    this.headers = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
    this.text = typeof body === "string" ? body : new TextDecoder().decode(body)
  }

  /** The body, an object. */
  get row(): JsonObject {
    const value: unknown = JSON.parse(this.text)
    assert.isTrue(typeof value === "object" && !Array.isArray(value), `no object: ${this.text}`)
    // The check above establishes the type.
    return value as JsonObject
  }

  /** The body, an array of objects. */
  get rows(): ReadonlyArray<JsonObject> {
    const value: unknown = JSON.parse(this.text)
    assert.isTrue(Array.isArray(value), `no array: ${this.text.slice(0, 500)}`)
    // The check above establishes the type.
    return value as ReadonlyArray<JsonObject>
  }

  /** The status, and the code of a refusal. */
  get verdict(): readonly [status: number, code: unknown] {
    return [this.status, this.status < 400 ? undefined : this.row["code"]]
  }
}

interface Running extends Instance.Instance {
  readonly ask: (method: string, target: string, asking?: Asking) => Effect.Effect<Reply>
  /** The lines of the log about webhooks whose deliveries are blocked. */
  readonly blocked: () => ReadonlyArray<string>
  /** Sends a request and expects success. */
  readonly done: (method: string, target: string, asking?: Asking) => Effect.Effect<Reply>
}

export class Service extends Context.Tag("suite/Service")<Service, Running>() {}

/** The key of a member. */
const keyOf = (who: Who): string => `mfg_suite_${who}`

const encode = (body: unknown): Exchange.Request["body"] =>
  body === undefined ? "" : typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body)

/** A request in the form of a socket's. */
const exchange = (
  method: string,
  target: string,
  { as = "operator", body, headers }: Asking = {}
): Exchange.Request => ({
  method,
  target,
  headers: {
    authorization: `Bearer ${keyOf(as)}`,
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...headers
  },
  body: encode(body)
})

const sensitive = Catalogue.resources.flatMap((resource) =>
  Column.fromResource(resource).flatMap(({ name, sensitive }) =>
    sensitive ? [{ resource: resource.resource, name }] : []
  )
)

/** The values of sensitive columns in a body, which no log may contain. */
const secretsIn = (target: string, body: unknown): ReadonlyArray<string> => {
  const names = sensitive.flatMap(({ name, resource }) => (target.includes(`/${resource}`) ? [name] : []))
  const rows: ReadonlyArray<unknown> = Array.isArray(body) ? body : [body]
  return rows.flatMap((row) =>
    Object.entries(row ?? {}).flatMap(([name, value]: [string, unknown]) =>
      // A short value can occur in a line by chance.
      names.includes(name) && typeof value === "string" && value.length > 7 ? [value] : []
    )
  )
}

/** Reads the log at the level debug, and collects the lines that it must not have: failures, keys and secrets. */
const listen = () => {
  const secrets = new Set(names.map(keyOf))
  const flaws: Array<string> = []
  const blocked: Array<string> = []
  let lines = 0
  const write = (line: string) => {
    lines += 1
    const { level }: { readonly level: string } = JSON.parse(line)
    const inner = JSON.stringify(line)
    const isShown = (secret: string) => line.includes(secret) || inner.includes(JSON.stringify(secret).slice(1, -1))
    const isBlocked = line.includes("--private-networks")
    if (isBlocked) blocked.push(line)
    if ((level === "error" && !isBlocked) || Array.from(secrets).some(isShown)) flaws.push(line)
  }
  return { secrets, flaws, blocked, write, lines: () => lines }
}

/** Checks a request and its reply against the service's OpenAPI document. */
const described = (request: Exchange.Request, reply: Reply): Reply => {
  const { headers, status, text } = reply
  const flaw = Conformance.flawOf(request, { status, contentType: headers["content-type"], text })
  assert.isUndefined(flaw, `${request.method} ${request.target} is sent and answered as it is described`)
  return reply
}

/** The settings of a service besides its store. */
export type Options = Partial<
  Pick<
    Settings.Settings,
    | "adminKey"
    | "facts"
    | "history"
    | "rules"
    | "aggregates"
    | "maxAnswer"
    | "pooling"
    | "privateNetworks"
    | "quota"
    | "rateLimit"
    | "rowSecurity"
    | "secretKey"
    | "statementTimeout"
  >
>

const open = (fresh: Fresh, options: Options): Effect.Effect<Running, never, Scope.Scope> =>
  Effect.gen(function* () {
    const store = yield* fresh
    const settings = {
      ...Settings.defaults,
      privateNetworks: "loopback",
      ...options,
      seed: { _tag: "Empty" },
      store,
      log: "debug"
    } as const
    const { blocked, flaws, lines, secrets, write } = listen()
    const instance = yield* Instance.make({ settings, idSeed: 1, write })
    yield* Seeder.insert(instance.world, "suite", seed)
    for (const who of names) instance.keys.install(keyOf(who), members[who])
    // An effect that runs twice sends its request twice.
    const ask: Running["ask"] = (method, target, asking) =>
      Effect.suspend(() => {
        for (const secret of secretsIn(target, asking?.body)) secrets.add(secret)
        const request = exchange(method, target, asking)
        return Effect.map(instance.service.handle(request), (answer) => described(request, new Reply(answer)))
      })
    const done: Running["done"] = (method, target, asking) =>
      Effect.tap(ask(method, target, asking), ({ status, text }) =>
        assert.isBelow(status, 300, `${method} ${target}: ${text}`)
      )
    for (const as of ["operator", "rival"] as const) {
      yield* done("DELETE", "/rest/webhookTable?table=not.is.null", { as })
    }
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        assert.deepStrictEqual(flaws, [])
        assert.isAbove(lines(), 0)
      })
    )
    return { ...instance, ask, done, blocked: () => blocked }
  }).pipe(Effect.orDie)

/** A service without any rows, not even the webhook tables of a new company. */
export const layer = (fresh: Fresh, options: Options = {}): Layer.Layer<Service> =>
  Layer.scoped(Service, open(fresh, options))
