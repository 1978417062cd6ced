/**
 * The scopes of an API key: `holiday:read` allows one action on one resource, and `*` in either place allows all of them.
 * The operations of the account namespace require no scope.
 */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as Catalogue from "./Catalogue.ts"
import { UsageError } from "./UsageError.ts"
import * as Suggestion from "./Suggestion.ts"

/** The actions on rows. */
export const actions = ["read", "create", "update", "delete"] as const
export type Action = (typeof actions)[number]

/** One permission; `*` allows all of them. */
export type Scope = "*" | `${Catalogue.Name | "*"}:${Action | "*"}`

const nameOf = (resource: { readonly resource: Catalogue.Name }) => resource.resource

/** All scopes, the widest first. */
export const all: ReadonlyArray<Scope> = [
  "*",
  ...(["*", ...Catalogue.resources.map(nameOf)] as const).flatMap((resource) =>
    (["*", ...actions] as const).map((action) => `${resource}:${action}` as const)
  )
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
          expected: `Expected *, or a resource and one of ${actions.join(", ")}.`,
          example: "--scope holiday:read"
        })
      )

/** A scope in the list of a key. */
export const Scope = Schema.String.pipe(
  Schema.filter(is, {
    identifier: "Scope",
    description: `"*", or a resource and one of ${actions.join(", ")}, such as "holiday:read"; "*" means any`,
    jsonSchema: { type: "string", enum: [...all] },
    arbitrary: () => (fc) => fc.constantFrom(...all)
  })
)

/** Reports whether the scopes of a key allow an action on a resource. */
export const allows = (scopes: ReadonlyArray<Scope>, resource: Catalogue.Name, action: Action): boolean =>
  scopes.some(
    (scope) =>
      scope === "*" ||
      scope === `${resource}:${action}` ||
      scope === `${resource}:*` ||
      scope === `*:${action}` ||
      scope === "*:*"
  )
