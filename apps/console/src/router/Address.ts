/**
 * The address of the page, which is its state: a path below the mount, and a query. `world` in the query is the world
 * of the whole page; all other parameters belong to the view.
 */
import { computed, signal, type ReadonlySignal } from "@preact/signals"

/** The path of the page. */
const mount = "/console"

const main = "main"

interface Place {
  /** The path below the mount, such as `/holiday`. */
  readonly path: string
  readonly search: string
}

const read = (): Place => ({ path: location.pathname.slice(mount.length) || "/", search: location.search })

const place = signal<Place>(read())

/** The path below the mount. */
export const path: ReadonlySignal<string> = computed(() => place.value.path)

const parameters = computed(() => new URLSearchParams(place.value.search))

/** The name of the world. */
export const world: ReadonlySignal<string> = computed(() => parameters.value.get("world") ?? main)

/** The query of the view as text, without `?` and without the world. */
export const search: ReadonlySignal<string> = computed(() =>
  place.value.search
    .slice(1)
    .split("&")
    .filter((part) => part !== "" && !part.startsWith("world="))
    .join("&")
)

/** The query of the view. */
export const query: ReadonlySignal<URLSearchParams> = computed(() => new URLSearchParams(search.value))

const join = (to: string, world: string): string => {
  const [path = "/", search = ""] = to.split("?", 2)
  const whole = [search, ...(world === main ? [] : [`world=${encodeURIComponent(world)}`])].filter(
    (part) => part !== ""
  )
  return `${mount}${path === "/" ? "" : path}${whole.length === 0 ? "" : `?${whole.join("&")}`}`
}

/** The address of a place in the world of the page, for links: `href("/holiday?limit=5")`. */
export const href = (to: string): string => join(to, world.value)

const show = (address: string, isReplaced: boolean): void => {
  if (isReplaced) history.replaceState(null, "", address)
  else history.pushState(null, "", address)
  place.value = read()
}

/** Shows another place. `replace` leaves no entry in the history, for queries that change while one types. */
export const navigate = (to: string, { replace = false }: { readonly replace?: boolean } = {}): void =>
  show(href(to), replace)

/** Replaces the query of the view; a parameter that is undefined is removed. */
export const setQuery = (
  changes: { readonly [name: string]: string | undefined },
  options: { readonly replace?: boolean } = { replace: true }
): void => {
  const changed = new URLSearchParams(search.value)
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === "") changed.delete(name)
    else changed.set(name, value)
  }
  navigate(`${path.value}${changed.size === 0 ? "" : `?${changed}`}`, options)
}

/** Shows another world at the same place. */
export const selectWorld = (name: string): void =>
  show(join(`${path.value}${search.value === "" ? "" : `?${search.value}`}`, name), false)

/** The place that a click on a link of the page leads to; undefined where the browser follows it. */
const placeOf = (event: MouseEvent): string | undefined => {
  if (
    event.defaultPrevented ||
    event.button !== 0 ||
    event.metaKey ||
    event.ctrlKey ||
    event.shiftKey ||
    event.altKey
  ) {
    return undefined
  }
  const link = event.target instanceof Element ? event.target.closest("a") : null
  if (link === null || link.target !== "" || link.hasAttribute("download") || link.origin !== location.origin) {
    return undefined
  }
  const isOwn = link.pathname === mount || link.pathname.startsWith(`${mount}/`)
  return isOwn && link.hash === "" ? link.pathname + link.search : undefined
}

/** Follows the links of the page and the buttons of the browser. */
export const follow = (): void => {
  addEventListener("popstate", () => (place.value = read()))
  document.addEventListener("click", (event) => {
    const address = placeOf(event)
    if (address === undefined) return
    event.preventDefault()
    show(address, false)
  })
}
