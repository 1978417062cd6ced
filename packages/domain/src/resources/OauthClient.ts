import * as ResourceRules from "../ResourceRules.ts"
import { OauthClientId, OauthClientIdentifier } from "../Ids.ts"
import * as Resource from "../Resource.ts"
import * as Sensitive from "../Sensitive.ts"
import { Text, TextArray } from "../Text.ts"

/** A registered OAuth client. */
export class OauthClient extends Resource.make("oauthClient", {
  key: "id",
  required: {
    name: Text,
    clientId: OauthClientIdentifier,
    redirectUris: TextArray,
    grantTypes: TextArray,
    responseTypes: TextArray,
    tokenEndpointAuthMethod: Text
  },
  optional: {
    clientSecret: Sensitive.make(Text),
    companyId: Text,
    clientUri: Text,
    logoUri: Text,
    scope: Text
  },
  returned: {
    id: OauthClientId
  },
  rules: {
    unique: [ResourceRules.unique("clientId")]
  }
}) {}
