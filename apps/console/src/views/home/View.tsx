/**
 * The first view: the resources, the state of the world, and what happened last.
 */
import type { ComponentChildren } from "preact"
import * as Address from "../../router/Address.ts"
import * as Admin from "../../service/Admin.ts"
import * as Catalogue from "../../service/Catalogue.ts"
import * as Rows from "../../service/Rows.ts"
import * as Service from "../../service/Service.ts"
import { ServiceError } from "../../service/ServiceError.ts"
import * as Session from "../../session/Session.ts"
import * as World from "../../session/World.ts"
import * as Panels from "../../shell/Panels.ts"
import { Page } from "../../shell/Page.tsx"
import { Button } from "../../ui/Button.tsx"
import { ErrorMessage } from "../../ui/ErrorMessage.tsx"
import { DeliveryState, Status } from "../../ui/records/Status.tsx"
import { Time } from "../../ui/Time.tsx"
import { useLoad } from "../../ui/useLoad.ts"

/** The number of changes, deliveries and errors that the view shows. */
const shown = 5

/** The number of changes among which those of requests are looked for: a seed makes changes too. */
const searched = 100

const Card = ({ children, title }: { readonly children: ComponentChildren; readonly title: string }) => (
  <section class="card">
    <h2>{title}</h2>
    {children}
  </section>
)

/** A card with the last of some entries, or a hint where there are none. */
const Last = <A,>({
  children,
  empty,
  entries,
  keyOf,
  title
}: {
  readonly title: string
  readonly entries: ReadonlyArray<A>
  readonly keyOf: (entry: A) => string | number
  readonly empty: string
  readonly children: (entry: A) => ComponentChildren
}) => (
  <Card title={title}>
    {entries.length === 0 ? (
      <p class="hint">{empty}</p>
    ) : (
      <ul class="events">
        {entries.map((entry) => (
          <li key={keyOf(entry)}>{children(entry)}</li>
        ))}
      </ul>
    )}
  </Card>
)

/** The time of a request, and the key that it had. */
const Origin = ({ apiKey, at }: { readonly apiKey: string | null; readonly at: string }) => (
  <span class="hint">
    <Time at={at} />
    {apiKey === null ? "" : `, key ${apiKey}`}
  </span>
)

/** An empty list where the service does not offer an operation, such as history that is off. */
const orNone = async <A,>(list: Promise<ReadonlyArray<A>>): Promise<ReadonlyArray<A> | undefined> => {
  try {
    return await list
  } catch (error) {
    if (error instanceof ServiceError) return undefined
    throw error
  }
}

/** The readiness of the service in words. */
const readinessOf = async (signal: AbortSignal): Promise<string> => {
  try {
    await Service.json({ target: "/health/ready", credential: "admin", signal })
    return "ready"
  } catch (error) {
    if (error instanceof ServiceError) return `not ready: ${error.message}`
    throw error
  }
}

const State = () => {
  const { error, value } = useLoad(async (signal) => {
    const [readiness, clock, usage, faults, pending] = await Promise.all([
      readinessOf(signal),
      Admin.perform("readClock", {}, { signal }),
      Admin.perform("readUsage", {}, { signal }),
      Admin.perform("listFaults", {}, { signal }),
      Admin.perform("listDeliveries", { state: "pending", limit: 1000 }, { signal })
    ])
    return { readiness, clock, usage, faults, pending }
  }, [])
  if (value === undefined) return <ErrorMessage error={error} />
  const { clock, faults, pending, readiness, usage } = value
  return (
    <Card title={`World ${World.current.value}`}>
      <dl class="facts">
        <dt>Health</dt>
        <dd>{readiness}</dd>
        <dt>Company</dt>
        <dd>{usage.companyId}</dd>
        <dt>Rows</dt>
        <dd>{usage.rows.toLocaleString("en")}</dd>
        <dt>Webhooks</dt>
        <dd>
          {usage.webhooks}
          {pending.length === 0 ? "" : `, ${pending.length} deliveries pending`}
        </dd>
        <dt>Clock</dt>
        <dd>
          <time dateTime={clock.now}>{clock.now.slice(0, 19).replace("T", " ")}</time>
          {clock.frozen ? " (frozen)" : ""}
        </dd>
        <dt>Faults</dt>
        <dd>{faults.length === 0 ? "none" : `${faults.length} on`}</dd>
      </dl>
    </Card>
  )
}

const verbs = { INSERT: "created", UPDATE: "changed", DELETE: "deleted" } as const

/** The names of the fields that differ between two states of a row. */
const changedFields = (before: object | null, after: object | null): ReadonlyArray<string> => {
  const [old, now] = [new Map(Object.entries(before ?? {})), new Map(Object.entries(after ?? {}))]
  return [...now.keys()].filter((name) => JSON.stringify(old.get(name)) !== JSON.stringify(now.get(name)))
}

/** The place of a row. */
const placeOf = (resource: string, key: string): string =>
  `/${resource}?${Rows.byKey(Catalogue.find(resource)?.key ?? "id", key)}`

const Changes = () => {
  const { error, value } = useLoad(async (signal) => {
    const changes = await orNone(Admin.perform("listHistory", { limit: searched }, { signal }))
    return { changes: changes?.filter(({ requestId }) => requestId !== null).slice(0, shown) }
  }, [])
  if (value === undefined) return <ErrorMessage error={error} />
  const { changes } = value
  return (
    <Last
      title="Last changes"
      entries={changes ?? []}
      keyOf={({ sequence }) => sequence}
      empty={
        changes === undefined
          ? "This world keeps no history: it is on with --history on."
          : "Nothing has changed since the seed."
      }
    >
      {({ after, apiKey, at, before, key, kind, resource }) => (
        <>
          <a href={Address.href(placeOf(resource, key))}>{resource}</a> <code>{key}</code> {verbs[kind]}
          {kind === "UPDATE" ? `: ${changedFields(before, after).join(", ")}` : ""}
          <Origin apiKey={apiKey} at={at} />
        </>
      )}
    </Last>
  )
}

const Deliveries = () => {
  const { error, value } = useLoad((signal) => Admin.perform("listDeliveries", { limit: shown }, { signal }), [])
  if (value === undefined) return <ErrorMessage error={error} />
  return (
    <Last title="Last deliveries" entries={value} keyOf={({ id }) => id} empty="No webhook has been due yet.">
      {({ attempts, createdAt, key, state, table, type }) => (
        <>
          <DeliveryState state={state} /> {type} {table} <code>{key}</code>
          <span class="hint">
            <Time at={createdAt} />, {attempts === 1 ? "1 attempt" : `${attempts} attempts`}
          </span>
        </>
      )}
    </Last>
  )
}

const Errors = () => {
  const { error, value } = useLoad(async (signal) => {
    const lists = await Promise.all(
      ["4xx", "5xx"].map((status) => orNone(Admin.perform("listTraffic", { status, limit: shown }, { signal })))
    )
    return lists
      .flatMap((list) => list ?? [])
      .toSorted((one, other) => other.sequence - one.sequence)
      .slice(0, shown)
  }, [])
  if (value === undefined) return <ErrorMessage error={error} />
  return (
    <Last title="Last errors" entries={value} keyOf={({ sequence }) => sequence} empty="No request has failed.">
      {({ apiKey, at, method, status, target }) => (
        <>
          <Status status={status} /> {method} <code>{target}</code>
          <Origin apiKey={apiKey} at={at} />
        </>
      )}
    </Last>
  )
}

const Resources = () => (
  <Card title="Data">
    <ul class="resource-links">
      {Catalogue.sorted.map(({ name }) => (
        <li key={name}>
          <a href={Address.href(`/${name}`)}>{Catalogue.titleOf(name)}</a>
        </li>
      ))}
    </ul>
  </Card>
)

export const View = () => (
  <Page title="Home">
    <div class="cards">
      {Session.isAdministrator.value ? (
        <div class="column">
          <State />
          <Changes />
          <Deliveries />
          <Errors />
        </div>
      ) : (
        <Card title="More with the administrator's key">
          <p>Worlds, traffic, the history of rows, deliveries, faults and keys are the administrator's.</p>
          <p>
            <Button icon="key" onClick={() => Panels.open("session")}>
              Add the administrator's key
            </Button>
          </p>
        </Card>
      )}
      <Resources />
    </div>
  </Page>
)
