/**
 * What an API key may do to rows: `holiday:read` allows one action on one resource, and `*` in either place allows
 * all of them. Operations of the account namespace need no scope.
 */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as Catalogue from "./Catalogue.ts"
import { UsageError } from "./UsageError.ts"
import * as Suggestion from "./Suggestion.ts"

/** What can be done to rows. */
export const actions = ["read", "create", "update", "delete"] as const
export type Action = (typeof actions)[number]

/** One permission; `*` alone is all of them. */
export type Scope = "*" | `${Catalogue.Name | "*"}:${Action | "*"}`

const nameOf = (resource: { readonly resource: Catalogue.Name }) => resource.resource

/** Every scope there is, the widest first. */
export const all: ReadonlyArray<Scope> = [
  "*",
  ...(["*", ...Catalogue.resources.map(nameOf)] as const).flatMap((resource) =>
    (["*", ...actions] as const).map((action) => `${resource}:${action}` as const)
  )
]

const known: ReadonlySet<string> = new Set(all)

/** Whether a text is a scope of a resource that this catalogue knows. */
export const is = (text: string): text is Scope => known.has(text)

/** A text as a scope, or what is to be said of a command line that holds another one. */
export const check = (text: string): Either.Either<Scope, UsageError> =>
  is(text)
    ? Either.right(text)
    : Either.left(
        new UsageError({
          problem: `${JSON.stringify(text)} is no scope.`,
          nearest: Suggestion.find(text, all),
          expected: `A scope is *, or a resource and one of ${actions.join(", ")}.`,
          example: "--scope holiday:read"
        })
      )

/** A scope as it stands in a key's list. */
export const Scope = Schema.String.pipe(
  Schema.filter(is, {
    identifier: "Scope",
    description: `"*", or a resource and one of ${actions.join(", ")}, such as "holiday:read"; "*" stands for any`,
    jsonSchema: { type: "string", enum: [...all] },
    arbitrary: () => (fc) => fc.constantFrom(...all)
  })
)

/** Whether any of a key's scopes allows an action on a resource. */
export const allows = (scopes: ReadonlyArray<Scope>, resource: Catalogue.Name, action: Action): boolean =>
  scopes.some(
    (scope) =>
      scope === "*" ||
      scope === `${resource}:${action}` ||
      scope === `${resource}:*` ||
      scope === `*:${action}` ||
      scope === "*:*"
  )
