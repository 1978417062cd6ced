/**
 * Installs the key of replayed requests, whose own keys are hidden in what was recorded.
 */
import * as Key from "@mfgdata/domain/ApiKey"
import { randomBytes } from "node:crypto"
import type { World } from "../world/World.ts"
import type { ApiKeys } from "./ApiKeys.ts"

/** Returns a key of the first user with full access, installed when it is first asked for; undefined without a user. */
export const make = (
  keys: Pick<ApiKeys, "install">,
  { home }: Pick<World["Type"], "home">
): (() => string | undefined) => {
  let key: string | undefined
  return () => {
    const member = home()
    if (key !== undefined || member === undefined) return key
    key = Key.fromRandom(randomBytes(32))
    keys.install(key, member)
    return key
  }
}
