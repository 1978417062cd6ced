/**
 * The caller: the user, company and scopes of the API key. Isolation uses this and nothing else.
 */
import type { CompanyId, UserId } from "@mfgdata/domain/Ids"
import type * as Scope from "@mfgdata/domain/Scope"
import type { AsOf } from "../sql/Owner.ts"

export interface Caller {
  readonly keyId: string
  readonly keyName?: string
  readonly companyId: CompanyId
  readonly userId: UserId
  readonly scopes: ReadonlyArray<Scope.Scope>
  /** Set when it reads the rows as they were at a time. */
  readonly asOf?: AsOf
}
