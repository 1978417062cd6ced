/**
 * A request held against the catalogue and the caller. After this only constraints and cardinality can refuse.
 */
import type * as Catalogue from "@mfgdata/domain/Catalogue"
import type { RuleSet } from "@mfgdata/domain/ResourceRules"
import * as Scope from "@mfgdata/domain/Scope"
import * as Either from "effect/Either"
import type { Caller } from "../../access/Caller.ts"
import type { Condition } from "../../sql/read/Condition.ts"
import type { NewRow } from "../../sql/write/Mutation.ts"
import type { OrderTerm } from "../../sql/read/Order.ts"
import type { Owned } from "../../sql/Owner.ts"
import type { Selection } from "../../sql/read/Selection.ts"
import * as ReadPlan from "./ReadPlan.ts"
import type { RowError } from "../RowError.ts"
import type { RowRequest } from "../request/RowRequest.ts"
import * as ResponseShape from "./ResponseShape.ts"
import * as WritePlan from "./WritePlan.ts"

export type RowPlan = Read | Insert | Upsert | Update | Delete

interface Planned extends Owned {
  readonly selection: Selection
  readonly counted: boolean
  readonly telling: ResponseShape.Telling
}

interface Filtered extends Planned {
  readonly where: ReadonlyArray<Condition>
  readonly order: ReadonlyArray<OrderTerm>
}

interface Change extends Planned {
  /** Whether it is undone once it is known what it would have done. */
  readonly rollback: boolean
}

export interface Read extends Filtered {
  readonly _tag: "Read"
  readonly limit: number | undefined
  readonly offset: number
}

export interface Insert extends Change {
  readonly _tag: "Insert"
  readonly rows: ReadonlyArray<NewRow>
}

export interface Upsert extends Change {
  readonly _tag: "Upsert"
  readonly rows: ReadonlyArray<NewRow>
  /** Columns the caller gave, which a merge overwrites. */
  readonly given: ReadonlyArray<string>
  /** What a merge sets besides: who changed the row, and when. */
  readonly touch: NewRow
  readonly target: ReadonlyArray<string>
  /** What becomes of a row that stands already; `replace` is the merge of a whole row. */
  readonly resolution: "merge" | "ignore" | "replace"
}

export interface Update extends Change, Filtered {
  readonly _tag: "Update"
  readonly set: NewRow
  readonly maxAffected: number | undefined
}

export interface Delete extends Change, Filtered {
  readonly _tag: "Delete"
  readonly maxAffected: number | undefined
}

/** What a plan depends on beside the request: who asks, and the world it is asked in. */
export interface Terms {
  readonly caller: Caller
  readonly rules: RuleSet
  /** The most rows that a list answers. */
  readonly maxRows: number
  /** Whether rows may be aggregated, which costs as much as all of them. */
  readonly aggregates?: boolean
  readonly knowsCompany: (id: string) => boolean
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly newId: () => string
  /** Keys that stand already, as far as they matter for keys that are made of names. */
  readonly taken: ReadonlySet<string>
}

const actions = ({ action, preferences }: RowRequest, telling: ResponseShape.Telling): ReadonlyArray<Scope.Action> => {
  const reading = telling.body === "representation" ? (["read"] as const) : []
  switch (action._tag) {
    case "Read":
      return ["read"]
    case "Create":
      return preferences.resolution === "merge-duplicates" ? ["create", "update", ...reading] : ["create", ...reading]
    case "Put":
      return ["create", "update", ...reading]
    case "Update":
      return ["update", ...reading]
    case "Delete":
      return ["delete", ...reading]
  }
}

/** The plan of a request. */
export const make = (request: RowRequest, terms: Terms): Either.Either<RowPlan, RowError> => {
  const { resource } = request.resource
  const telling = ResponseShape.fromRequest(request)
  for (const action of actions(request, telling)) {
    // Requests are made for the catalogue's resources; the generic type forgets their names.
    if (!Scope.allows(terms.caller.scopes, resource as Catalogue.Name, action)) {
      return Either.left({ _tag: "ScopeMissing", resource, action })
    }
  }
  const { action } = request
  switch (action._tag) {
    case "Read":
      return ReadPlan.make(request, telling, terms)
    case "Create":
      return WritePlan.create(request, action.payload, telling, terms)
    case "Put":
      return WritePlan.put(request, action.payload, telling, terms)
    case "Update":
      return WritePlan.update(request, action.payload, telling, terms)
    case "Delete":
      return WritePlan.remove(request, telling, terms)
  }
}
