/**
 * `mfg-mock webhooks`: the signing secrets of webhooks, with or without a running service.
 */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import type * as AdminApi from "@mfgdata/client/AdminApi"
import * as Default from "@mfgdata/shell/Default"
import * as IntegerFlag from "@mfgdata/shell/IntegerFlag"
import * as Program from "@mfgdata/shell/Program"
import * as Terminal from "@mfgdata/shell/Terminal"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as AdminTarget from "./target/AdminTarget.ts"

const webhook = {
  flags: AdminTarget.flags,
  id: Args.text({ name: "id" }).pipe(Args.withDescription("Id of the webhook.")),
  companyId: Options.text("company").pipe(
    Options.withDescription("Company of the webhook (default: the first company)."),
    Options.optional
  )
}

const refOf = (id: string, companyId: Option.Option<string>) =>
  Option.match(companyId, { onNone: () => ({ id }), onSome: (companyId) => ({ id, companyId }) })

/** Writes the secret to standard output, and the message to standard error, so that a script can read the secret. */
const show = ({ secret }: AdminApi.Response<"showWebhookSecret">) =>
  Effect.zipRight(Terminal.note("The secret is shown once:"), Terminal.write(`${secret}\n`))

const secret = Command.make("secret", webhook, ({ companyId, flags, id }) =>
  Effect.flatMap(
    AdminTarget.run(flags, (admin) => admin.showWebhookSecret(refOf(id, companyId))),
    show
  )
).pipe(
  Command.withDescription(
    "Show the secret that signs a webhook's deliveries, once. For example: mfg-mock webhooks secret <id>"
  )
)

const roll = Command.make(
  "roll",
  {
    ...webhook,
    overlapSeconds: IntegerFlag.option("overlap", {
      placeholder: "seconds",
      description: "Number of seconds for which both secrets sign.",
      example: 3600
    }).pipe(Default.of(86_400))
  },
  ({ companyId, flags, id, overlapSeconds }) =>
    Effect.flatMap(
      AdminTarget.run(flags, (admin) => admin.rollWebhookSecret({ ...refOf(id, companyId), overlapSeconds })),
      show
    )
).pipe(
  Command.withDescription(
    "Replace the secret of a webhook. The old one signs too until the overlap ends. For example: mfg-mock webhooks roll <id> --overlap 3600"
  )
)

const command = Command.make("webhooks").pipe(
  Command.withDescription("Signing secrets of webhooks."),
  Command.withSubcommands([secret, roll])
)

export const program: Program.Program = Program.make(command, ["secret", "roll"])
