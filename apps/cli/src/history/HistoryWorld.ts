/**
 * The world whose history a command shows.
 */
import * as TextFlag from "@mfgdata/shell/TextFlag"
import * as Option from "effect/Option"
import * as AdminClient from "../service/AdminClient.ts"
import type { Connection } from "../service/Connection.ts"

export const flag = TextFlag.optional("world", "Name of the world (default: main).")

/** The administrator's operations on the world, and the company that they are limited to. */
export const use = (connection: Connection, purpose: string, world: Option.Option<string>) => {
  const { companyId } = connection.profile
  return {
    admin: AdminClient.make(connection, purpose, Option.getOrUndefined(world)),
    // The company of a profile is one of the main world; another world may have others.
    company: companyId === undefined || Option.isSome(world) ? {} : { companyId }
  }
}
