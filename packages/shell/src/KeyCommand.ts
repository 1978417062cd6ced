/**
 * The arguments of the commands that make API keys, which both programs have.
 */
import * as Args from "@effect/cli/Args"
import * as HelpDoc from "@effect/cli/HelpDoc"
import * as Span from "@effect/cli/HelpDoc/Span"
import * as Options from "@effect/cli/Options"
import type * as AdminApi from "@mfgdata/client/AdminApi"
import { CompanyId, UserId } from "@mfgdata/domain/Ids"
import * as Right from "@mfgdata/domain/Right"
import * as Scope from "@mfgdata/domain/Scope"
import * as Timestamp from "@mfgdata/domain/Timestamp"
import { UsageError } from "@mfgdata/domain/UsageError"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Default from "./Default.ts"
import * as IntegerFlag from "./IntegerFlag.ts"

export const id = Args.text({ name: "id" }).pipe(Args.withDescription("Id of the key, as in the list."))

export const overlap = IntegerFlag.option("overlap", {
  placeholder: "seconds",
  description: "Number of seconds for which the old key stays valid.",
  example: 3600
}).pipe(Default.of(0))

/** The flags of a new key. */
export const create = {
  scopes: Options.text("scope").pipe(
    Options.withDescription("Scope of the key, such as holiday:read; may be repeated (default: every scope)."),
    Options.repeated
  ),
  expires: Options.text("expires").pipe(
    Options.withPseudoName("timestamp"),
    Options.withDescription("Expiry of the key, such as 2027-01-31T00:00:00Z (default: never)."),
    Options.optional
  ),
  company: Options.text("company").pipe(
    Options.withSchema(CompanyId),
    Options.withDescription("Company of the key (default: the first company)."),
    Options.optional
  ),
  user: Options.text("user").pipe(
    Options.withSchema(UserId),
    Options.withDescription("User of the key (default: the first user of the company)."),
    Options.optional
  )
}

/** The flag with the name of a new key. */
export const name = (initial: string) =>
  Options.text("name").pipe(Options.withDescription("Name of the key: its purpose."), Default.of(initial))

interface NewKey {
  readonly name: string
  readonly scopes: ReadonlyArray<string>
  readonly expires: Option.Option<string>
  readonly company: Option.Option<CompanyId>
  readonly user: Option.Option<UserId>
}

const checkTime = (text: string): Effect.Effect<Timestamp.Timestamp, UsageError> =>
  Timestamp.is(text)
    ? Effect.succeed(text)
    : Effect.fail(
        new UsageError({
          problem: `Invalid value ${JSON.stringify(text)} for --expires: expected a timestamp.`,
          example: "--expires 2027-01-31T00:00:00Z"
        })
      )

const checkName = (text: string): Effect.Effect<string, UsageError> =>
  text !== ""
    ? Effect.succeed(text)
    : Effect.fail(
        new UsageError({
          problem: `Invalid value "" for --name: expected the purpose of the key.`,
          example: "--name reports"
        })
      )

/** Makes the request from the values of the flags. */
export const request = ({
  company,
  expires,
  name,
  scopes,
  user
}: NewKey): Effect.Effect<AdminApi.Request<"createKey">, UsageError> =>
  Effect.gen(function* () {
    return {
      name: yield* checkName(name),
      scopes: scopes.length === 0 ? ["*"] : yield* Effect.forEach(scopes, Scope.check),
      expiresAt: Option.isNone(expires) ? null : yield* checkTime(expires.value),
      ...(Option.isSome(company) ? { companyId: company.value } : {}),
      ...(Option.isSome(user) ? { userId: user.value } : {})
    }
  })

/** The help of the command that creates a key, with the scopes. */
export const description = (program: string): HelpDoc.HelpDoc =>
  HelpDoc.blocks([
    HelpDoc.p(
      `Create a key, and show it once. For example: ${program} keys create --name reports --scope holiday:read`
    ),
    HelpDoc.h1("SCOPES"),
    HelpDoc.descriptionList(Arr.map(Right.lines, ({ scopes, summary }) => [Span.text(scopes), HelpDoc.p(summary)]))
  ])
