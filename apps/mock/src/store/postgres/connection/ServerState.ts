/**
 * The states of servers, and the ones in which connections are opened to them.
 */
import type { Target } from "../../../PostgresAddress.ts"

/** The state of a server. */
export interface ServerState {
  readonly isStandby: boolean
  readonly isReadOnly: boolean
}

const accepted: { readonly [T in Target]: (state: ServerState) => boolean } = {
  any: () => true,
  "read-write": ({ isReadOnly }) => !isReadOnly,
  "read-only": ({ isReadOnly }) => isReadOnly,
  primary: ({ isStandby }) => !isStandby,
  standby: ({ isStandby }) => isStandby,
  // Reads without a standby go to the store, so that no primary is needed here.
  "prefer-standby": ({ isStandby }) => isStandby
}

/** The text of such a reason. */
export const textOf = (refusal: string, target: Target): string => `${refusal}, and target_session_attrs is ${target}`

/** The reason for which connections are not opened to a server. */
export const refusalOf = (target: Target, state: ServerState): string | undefined =>
  accepted[target](state)
    ? undefined
    : state.isStandby
      ? "it is a standby"
      : state.isReadOnly
        ? "it accepts no writes"
        : target === "read-only"
          ? "it accepts writes"
          : "it is a primary"
