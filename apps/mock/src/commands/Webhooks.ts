/**
 * `mfg-mock webhooks`: the secrets that sign deliveries, whether or not a service has the store.
 */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as AdminApi from "../admin/AdminApi.ts"
import * as Flags from "./Flags.ts"
import * as AdminTarget from "./AdminTarget.ts"

const asked = {
  flags: Flags.options(AdminTarget.settings.filter((name) => name !== "rules")),
  id: Args.text({ name: "id" }).pipe(Args.withDescription("The webhook's id.")),
  companyId: Options.text("company").pipe(
    Options.withDescription("Whose webhook it is. The first company's when left out."),
    Options.optional
  )
}

const ask = <A>(
  parsed: Parameters<typeof Flags.resolve>[1],
  work: <E>(control: AdminApi.Control<E>) => Effect.Effect<A, E>
) => Effect.flatMap(Flags.resolve(AdminTarget.settings, parsed), (known) => AdminTarget.ask(known, work))

const hook = (id: string, companyId: Option.Option<string>) =>
  Option.match(companyId, { onNone: () => ({ id }), onSome: (companyId) => ({ id, companyId }) })

/** The secret alone on standard output, so that a script can take it. */
const show = ({ secret }: AdminApi.Response<"showWebhookSecret">) =>
  Effect.zipRight(Console.error("The secret is shown this once:"), Console.log(secret))

const secret = Command.make("secret", asked, ({ companyId, flags, id }) =>
  Effect.flatMap(
    ask(flags, (control) => control.showWebhookSecret(hook(id, companyId))),
    show
  )
).pipe(
  Command.withDescription(
    "Shows the secret that signs a webhook's deliveries, once. For example: mfg-mock webhooks secret <id>"
  )
)

const roll = Command.make(
  "roll",
  {
    ...asked,
    overlap: Options.text("overlap").pipe(
      Options.withPseudoName("seconds"),
      Options.withDescription("For how long the old secret signs beside the new one. A day when left out."),
      Options.withDefault("86400")
    )
  },
  ({ companyId, flags, id, overlap }) =>
    Effect.gen(function* () {
      const overlapSeconds = yield* Flags.overlap(overlap)
      yield* show(yield* ask(flags, (control) => control.rollWebhookSecret({ ...hook(id, companyId), overlapSeconds })))
    })
).pipe(
  Command.withDescription(
    "Makes a new secret; the old one signs beside it for a while. For example: mfg-mock webhooks roll <id> --overlap 3600"
  )
)

export const command = Command.make("webhooks").pipe(
  Command.withDescription("The secrets that sign what webhooks deliver."),
  Command.withSubcommands([secret, roll])
)
