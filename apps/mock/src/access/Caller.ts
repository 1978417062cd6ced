/**
 * The caller: the user, company and scopes of the API key. Isolation uses this and nothing else.
 */
import type { CompanyId, UserId } from "@mfgdata/domain/Ids"
import type * as Scope from "@mfgdata/domain/Scope"

export interface Caller {
  readonly keyId: string
  readonly companyId: CompanyId
  readonly userId: UserId
  readonly scopes: ReadonlyArray<Scope.Scope>
}
