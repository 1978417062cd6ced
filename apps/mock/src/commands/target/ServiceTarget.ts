/**
 * The running service that a command addresses, and its world.
 */
import * as Options from "@effect/cli/Options"
import type * as AdminApi from "@mfgdata/client/AdminApi"
import * as ServiceAddress from "@mfgdata/client/ServiceAddress"
import { UsageError } from "@mfgdata/domain/UsageError"
import * as Default from "@mfgdata/shell/Default"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Settings from "../../Settings.ts"
import * as Flags from "../Flags.ts"
import * as RemoteAdmin from "./RemoteAdmin.ts"

export const flags = {
  url: Options.text("url").pipe(
    Options.withDescription("Address of the service."),
    Default.of(ServiceAddress.defaultOrigin)
  ),
  world: Options.text("world").pipe(Options.withDescription("World of the service (default: main)."), Options.optional)
}

/** The values of the flags. */
export interface Values {
  readonly url: string
  readonly world?: Option.Option<string>
}

/** A service, and the key of its administrator. */
export interface Located {
  readonly origin: string
  readonly adminKey: string
  readonly world: string | undefined
}

/** Reads the address of the service and the key. */
export const locate = ({
  url,
  world = Option.none()
}: Values): Effect.Effect<Located, UsageError | Settings.SettingInvalid> =>
  Effect.gen(function* () {
    const { adminKey } = yield* Flags.resolve(["adminKey"], {})
    if (adminKey === undefined) {
      return yield* new UsageError({
        problem: "The command needs the administrator's key of the service.",
        example: `export ${Settings.variable("adminKey")}=mfg_local_administration`
      })
    }
    if (!URL.canParse(url)) {
      return yield* new UsageError({
        problem: `Invalid value ${JSON.stringify(url)} for --url: expected the address of a service.`,
        example: `--url ${ServiceAddress.defaultOrigin}`
      })
    }
    return { origin: new URL(url).origin, adminKey, world: Option.getOrUndefined(world) }
  })

/** Runs operations of the service at an address. */
export const run = <A>(
  values: Values,
  work: (
    admin: AdminApi.Service<RemoteAdmin.RemoteFailure>,
    located: Located
  ) => Effect.Effect<A, RemoteAdmin.RemoteFailure>
): Effect.Effect<A, UsageError | Settings.SettingInvalid | RemoteAdmin.RemoteFailure> =>
  Effect.flatMap(locate(values), (located) =>
    work(RemoteAdmin.make(located.origin, located.adminKey, located.world), located)
  )
