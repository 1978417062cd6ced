/**
 * Declares the flags that select rows and fields, and builds their query.
 */
import * as Options from "@effect/cli/Options"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type { UsageError } from "../../CliError.ts"
import * as RowQuery from "../../RowQuery.ts"

/** The values of the flags. */
export interface Flags {
  readonly where: ReadonlyArray<string>
  readonly select: Option.Option<string>
  readonly order: Option.Option<string>
}

/** The flag that selects rows. */
export const where: Options.Options<Array<string>> = Options.text("where").pipe(
  Options.withPseudoName("condition"),
  Options.withDescription(
    "Condition on the rows, such as status=Draft, 'quantity>10' or status=in.(Draft,Completed); may be repeated (default: all rows)."
  ),
  Options.repeated
)

/** The flag that selects fields. */
export const select: Options.Options<Option.Option<string>> = Options.text("select").pipe(
  Options.withAlias("s"),
  Options.withPseudoName("fields"),
  Options.withDescription("Fields of the rows, such as id,status, or any select of the service (default: all fields)."),
  Options.optional
)

const order = Options.text("order").pipe(
  Options.withPseudoName("fields"),
  Options.withDescription("Order of the rows, such as transferDate.desc,id (default: by key)."),
  Options.optional
)

/** The flags that select rows and fields. */
export const options: Options.Options<Flags> = Options.all({ where, select, order })

/** The query parameters of the flags. */
export const parameters = (
  resource: Resource.Any,
  { order, select, where }: Flags
): Either.Either<ReadonlyArray<RowQuery.Parameter>, UsageError> =>
  Either.all([
    ...where.map((text) => RowQuery.parse(resource, text)),
    ...Option.toArray(select).map((text) => RowQuery.select(resource, text)),
    ...Option.toArray(order).map((text) => RowQuery.order(resource, text))
  ])
