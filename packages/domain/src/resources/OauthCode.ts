import * as ResourceRules from "../ResourceRules.ts"
import { CompanyId, OauthClientIdentifier, OauthCodeId, UserId } from "../Ids.ts"
import * as Resource from "../Resource.ts"
import * as Sensitive from "../Sensitive.ts"
import { Text } from "../Text.ts"
import { Timestamp } from "../Timestamp.ts"

/** An authorization code that its client has not exchanged yet. */
export class OauthCode extends Resource.make("oauthCode", {
  key: "id",
  required: {
    code: Sensitive.make(Text),
    clientId: OauthClientIdentifier,
    userId: UserId,
    companyId: CompanyId,
    redirectUri: Text,
    expiresAt: Timestamp
  },
  optional: {
    codeChallenge: Text,
    codeChallengeMethod: Text,
    scope: Text
  },
  returned: {
    id: OauthCodeId,
    createdAt: Timestamp
  },
  rules: {
    unique: [ResourceRules.unique("code")],
    checks: [ResourceRules.oneOf("codeChallengeMethod", ["S256", "plain"])],
    onParentDelete: { clientId: "cascade" }
  }
}) {}
