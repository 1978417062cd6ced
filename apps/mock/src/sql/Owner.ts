/**
 * A resource's rows as far as a caller owns them. Every `FROM` is made of one, so no statement can be written that
 * forgets whose rows it may touch.
 */
import type * as Resource from "@mfgdata/domain/Resource"

export interface Owned {
  readonly resource: Resource.Any
  readonly owner: Owner
}

export interface Owner {
  readonly companyId: string
  readonly userId: string
}
