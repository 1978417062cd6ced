/**
 * Which rows a command is about, as flags, and the query that these come to.
 */
import * as Options from "@effect/cli/Options"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type { UsageError } from "../../CliError.ts"
import * as Where from "../../Where.ts"

/** What is asked by flags. */
export interface Asked {
  readonly where: ReadonlyArray<string>
  readonly select: Option.Option<string>
  readonly order: Option.Option<string>
}

const where = Options.text("where").pipe(
  Options.withPseudoName("condition"),
  Options.withDescription(
    "Only rows that meet it, such as status=Draft, 'quantity>10' or status=in.(Draft,Completed); may be repeated."
  ),
  Options.repeated
)

/** The flag that chooses fields. */
export const select: Options.Options<Option.Option<string>> = Options.text("select").pipe(
  Options.withAlias("s"),
  Options.withPseudoName("fields"),
  Options.withDescription("Only these fields, such as id,status; whatever else the service's select takes works too."),
  Options.optional
)

const order = Options.text("order").pipe(
  Options.withPseudoName("fields"),
  Options.withDescription("In which order, such as transferDate.desc,id; by key when left out."),
  Options.optional
)

/** The flags that choose rows and fields. */
export const options: Options.Options<Asked> = Options.all({ where, select, order })

/** The parameters of a query that flags come to. */
export const parameters = (
  resource: Resource.Any,
  { order, select, where }: Asked
): Either.Either<ReadonlyArray<Where.Parameter>, UsageError> =>
  Either.all([
    ...where.map((text) => Where.parse(resource, text)),
    ...Option.toArray(select).map((text) => Where.select(resource, text)),
    ...Option.toArray(order).map((text) => Where.order(resource, text))
  ])

/** A query as text. */
export const toText = (parameters: ReadonlyArray<Where.Parameter>): string =>
  new URLSearchParams(parameters.map(([name, value]): [string, string] => [name, value])).toString()
