/**
 * The one-time tokens of the address that a start prints: each is exchanged once for the keys of the console.
 */
import { randomBytes } from "node:crypto"
import type { ApiKeys } from "../../access/ApiKeys.ts"
import type { World } from "../../world/World.ts"

/** The time in which a token is valid. */
const validMillis = 10 * 60_000

/** The keys of a browser. */
interface Keys {
  readonly apiKey: string | null
  readonly adminKey: string | null
}

export interface SignIn {
  /** A new token. */
  readonly issue: () => string
  /** The keys for a token; undefined for a token that is unknown, used or too old. */
  readonly redeem: (token: string) => Keys | undefined
}

interface Options {
  readonly keys: Pick<ApiKeys, "install">
  readonly world: Pick<World["Type"], "home">
  /** The keys of the settings. */
  readonly apiKey: string | undefined
  readonly adminKey: string | undefined
}

/** The tokens of a service. */
export const make = ({ adminKey, apiKey, keys, world }: Options): SignIn => {
  // The time of the process: a virtual clock must not keep tokens valid.
  const expiry = new Map<string, number>()

  /**
   * An API key of its own where the settings have none, because stored keys are digests. It is valid for the life of the
   * process and has no expiry, which a clock that is moved would reach.
   */
  const install = (): string | null => {
    const home = world.home()
    if (home === undefined) return null
    const key = `console_${randomBytes(24).toString("base64url")}`
    keys.install(key, home)
    return key
  }

  return {
    issue: () => {
      const token = randomBytes(24).toString("base64url")
      expiry.set(token, performance.now() + validMillis)
      return token
    },
    redeem: (token) => {
      const until = expiry.get(token)
      expiry.delete(token)
      if (until === undefined || until < performance.now()) return undefined
      return { apiKey: apiKey ?? install(), adminKey: adminKey ?? null }
    }
  }
}
