/**
 * The scopes of an API key: `holiday:read` allows one action on one resource, and `*` in either place allows all of them.
 * `account:read` and `account:write` are for the operations of the account namespace.
 */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as Catalogue from "./Catalogue.ts"
import { UsageError } from "./UsageError.ts"
import * as Suggestion from "./Suggestion.ts"

/** The actions on rows. */
export const actions = ["read", "create", "update", "delete"] as const
export type Action = (typeof actions)[number]

/** The actions on the account of the user that owns the key. */
export const accountActions = ["read", "write"] as const
export type AccountAction = (typeof accountActions)[number]

/** The permission for some operations of the account namespace. */
export type AccountScope = `account:${AccountAction}`

/** One permission; `*` allows all of them. */
export type Scope = "*" | `${Catalogue.Name | "*"}:${Action | "*"}` | AccountScope | "account:*"

const nameOf = (resource: { readonly resource: Catalogue.Name }) => resource.resource

/** All scopes, the widest first. */
export const all: ReadonlyArray<Scope> = [
  "*",
  ...(["*", ...Catalogue.resources.map(nameOf)] as const).flatMap((resource) =>
    (["*", ...actions] as const).map((action) => `${resource}:${action}` as const)
  ),
  ...(["*", ...accountActions] as const).map((action) => `account:${action}` as const)
]

const known: ReadonlySet<string> = new Set(all)

/** Reports whether a text is a scope of a resource of the catalogue. */
export const is = (text: string): text is Scope => known.has(text)

/** Parses a scope of a command line. */
export const check = (text: string): Either.Either<Scope, UsageError> =>
  is(text)
    ? Either.right(text)
    : Either.left(
        new UsageError({
          problem: `Invalid scope ${JSON.stringify(text)}.`,
          nearest: Suggestion.find(text, all),
          expected: `Expected *, a resource and one of ${actions.join(", ")}, or account and one of ${accountActions.join(", ")}.`,
          example: "--scope holiday:read"
        })
      )

/** A scope in the list of a key. */
export const Scope = Schema.String.pipe(
  Schema.filter(is, {
    identifier: "Scope",
    description: `"*", a resource and one of ${actions.join(", ")}, such as "holiday:read", or "account:read" or "account:write"; "*" means any`,
    jsonSchema: { type: "string", enum: [...all] },
    arbitrary: () => (fc) => fc.constantFrom(...all)
  })
)

/** The subjects of scopes, and the actions on each. */
interface Allows {
  (scopes: ReadonlyArray<Scope>, subject: Catalogue.Name, action: Action): boolean
  (scopes: ReadonlyArray<Scope>, subject: "account", action: AccountAction): boolean
}

/** Reports whether the scopes of a key allow an action on a resource, or on the account of its user. */
export const allows: Allows = (
  scopes: ReadonlyArray<Scope>,
  resource: Catalogue.Name | "account",
  action: Action | AccountAction
): boolean =>
  scopes.some(
    (scope) =>
      scope === "*" ||
      scope === `${resource}:${action}` ||
      scope === `${resource}:*` ||
      scope === `*:${action}` ||
      scope === "*:*"
  )
