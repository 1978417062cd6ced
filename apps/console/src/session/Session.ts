/**
 * The session: the keys of the person, and the world that the page shows. Keys live in memory, and in `sessionStorage`
 * if the person asks for it. No cookie exists.
 */
import { computed, effect, signal, type ReadonlySignal } from "@preact/signals"

/** The keys of a session; one of them is enough. */
export interface Keys {
  readonly apiKey: string | undefined
  readonly adminKey: string | undefined
}

/** The key that a call is sent with. */
export type Credential = "api" | "admin"

type State =
  | { readonly _tag: "SignedOut" }
  | { readonly _tag: "SignedIn"; readonly keys: Keys }
  /** The service has refused a key: the page stays as it is, and waits for another key. */
  | { readonly _tag: "Expired"; readonly keys: Keys; readonly refused: Credential }

const stored = "mfgdata.console.keys"

const read = (): State => {
  try {
    const keys: unknown = JSON.parse(sessionStorage.getItem(stored) ?? "null")
    if (typeof keys !== "object" || keys === null) return { _tag: "SignedOut" }
    const textOf = (value: unknown) => (typeof value === "string" ? value : undefined)
    const apiKey = "apiKey" in keys ? textOf(keys.apiKey) : undefined
    const adminKey = "adminKey" in keys ? textOf(keys.adminKey) : undefined
    return { _tag: "SignedIn", keys: { apiKey, adminKey } }
  } catch {
    return { _tag: "SignedOut" }
  }
}

const state = signal<State>(read())

/** The state of the session. */
export const current: ReadonlySignal<State> = state

/** Set when the keys are kept for this tab. */
export const isRemembered = signal(state.value._tag === "SignedIn")

/** Reports whether calls with a key can be sent. */
const has = (credential: Credential): boolean => {
  const { value } = state
  if (value._tag === "SignedOut") return false
  return value.keys.adminKey !== undefined || (credential === "api" && value.keys.apiKey !== undefined)
}

/** Set when the session can call the administrator's interface. */
export const isAdministrator: ReadonlySignal<boolean> = computed(() => has("admin"))

effect(() => {
  const { value } = state
  try {
    if (value._tag === "SignedIn" && isRemembered.value) sessionStorage.setItem(stored, JSON.stringify(value.keys))
    else sessionStorage.removeItem(stored)
  } catch {
    // A browser that keeps no data: the keys stay in memory.
  }
})

/** API keys by world: those of worlds besides main are made with the administrator's key. */
const worldKeys = new Map<string, Promise<string>>()

export const signIn = (keys: Keys): void => {
  worldKeys.clear()
  state.value = { _tag: "SignedIn", keys }
}

/** Adds a key to those of the session. */
export const addKeys = (keys: Partial<Keys>): void => {
  const { value } = state
  const before = value._tag === "SignedOut" ? { apiKey: undefined, adminKey: undefined } : value.keys
  signIn({ ...before, ...keys })
}

export const signOut = (): void => {
  worldKeys.clear()
  state.value = { _tag: "SignedOut" }
}

/** Notes that the service has refused a key. */
export const expire = (refused: Credential): void => {
  const { value } = state
  worldKeys.clear()
  if (value._tag === "SignedIn") state.value = { _tag: "Expired", keys: value.keys, refused }
}

/** Resolves when the person has signed in again. */
export const renewed = (signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const abort = () => {
      stop()
      reject(signal?.reason)
    }
    const stop = effect(() => {
      if (state.value._tag !== "SignedIn") return
      signal?.removeEventListener("abort", abort)
      queueMicrotask(() => stop())
      resolve()
    })
    if (signal?.aborted === true) abort()
    else signal?.addEventListener("abort", abort, { once: true })
  })

/** The API key of a world; `make` creates one with the administrator's key. */
export const keyOf = (world: string, make: () => Promise<string>): Promise<string> => {
  const { value } = state
  const own = value._tag === "SignedOut" ? undefined : value.keys.apiKey
  if (world === "main" && own !== undefined) return Promise.resolve(own)
  const known = worldKeys.get(world)
  if (known !== undefined) return known
  const made = make()
  worldKeys.set(world, made)
  made.catch(() => worldKeys.delete(world))
  return made
}
