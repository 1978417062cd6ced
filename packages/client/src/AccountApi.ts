/**
 * The operation interface as an `HttpApi`, from which the service and its OpenAPI document are made. Every endpoint is an
 * operation of the domain, with the same id.
 */
import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiMiddleware from "@effect/platform/HttpApiMiddleware"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as HttpApiSecurity from "@effect/platform/HttpApiSecurity"
import * as OpenApi from "@effect/platform/OpenApi"
import type { CompanyId, UserId } from "@mfgdata/domain/Ids"
import type * as Operation from "@mfgdata/domain/Operation"
import * as OperationError from "@mfgdata/domain/OperationError"
import { account, version } from "@mfgdata/domain/Operations"
import * as Context from "effect/Context"
import * as Schema from "effect/Schema"

// The argument and the result of a transformation of the OpenAPI document.
type Document = Parameters<Context.Tag.Service<OpenApi.Transform>>[0]

const pascal = (code: string): string =>
  code.toLowerCase().replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())

const issues = Schema.optionalWith(Schema.Struct({ issues: Schema.Array(OperationError.Issue) }), { exact: true })

const body = <K extends OperationError.KnownCode>(code: K) =>
  Schema.Struct({
    ...OperationError.OperationError.fields,
    code: Schema.Literal(code),
    status: Schema.Literal(OperationError.statuses[code]),
    ...(code === "BAD_REQUEST" ? { data: issues } : {})
  }).annotations({
    identifier: pascal(code),
    description: OperationError.meanings[code],
    ...HttpApiSchema.annotations({ status: OperationError.statuses[code] })
  })

/** The body of each error code. */
const bodies = Object.fromEntries(OperationError.codes.map((code) => [code, body(code)])) as unknown as {
  readonly [K in OperationError.KnownCode]: Schema.Schema<OperationError.KnownError<K>>
}

/** The user and the company of an API key, which the implementation looks up. */
export class Caller extends Context.Tag("@mfgdata/client/AccountApi/Caller")<
  Caller,
  { readonly userId: UserId; readonly companyId: CompanyId }
>() {}

/** The API key as a bearer token, on every operation. */
export class Authorization extends HttpApiMiddleware.Tag<Authorization>()("@mfgdata/client/AccountApi/Authorization", {
  failure: bodies.UNAUTHORIZED,
  provides: Caller,
  security: { bearerAuth: HttpApiSecurity.bearer }
}) {}

/**
 * Removes the platform's own response to a body that cannot be decoded: the service responds with its own, as its tests
 * check.
 */
const withOwnBadRequest = (document: Document): Document => ({
  ...document,
  responses: {
    ...document["responses"],
    [OperationError.statuses.BAD_REQUEST]: {
      description: OperationError.meanings.BAD_REQUEST,
      content: { "application/json": { schema: { $ref: `#/components/schemas/${pascal("BAD_REQUEST")}` } } }
    }
  }
})

const withOwnSchemas = ({ components, ...document }: Document): Document => {
  const { HttpApiDecodeError: _, Issue: __, PropertyKey: ___, ...schemas } = components.schemas
  return { ...document, openapi: "3.1.1", components: { ...components, schemas } }
}

/** Marks the operations that the contract does not list in the OpenAPI document. */
export const extensionMark = "x-extension"

/** The endpoint of an operation. */
const endpoint = <
  Name extends string,
  Parameters extends Schema.Struct.Fields,
  Response extends Schema.Schema.AnyNoContext,
  ErrorCode extends OperationError.KnownCode
>(
  operation: Operation.Operation<"account", Name, Parameters, Response, ErrorCode>
) =>
  HttpApiEndpoint.post(operation.name, operation.path)
    .setPayload(operation.request)
    .addSuccess(operation.response)
    .addError(Schema.Union(...operation.errorCodes.map((code) => bodies[code])))
    .annotate(OpenApi.Identifier, operation.id)
    .annotate(OpenApi.Summary, operation.summary)
    .annotate(OpenApi.Transform, withOwnBadRequest)
    .annotate(OpenApi.Override, operation.extension ? { [extensionMark]: true } : {})

/** The operations of the namespace `account`. */
export class AccountGroup extends HttpApiGroup.make("account")
  .annotate(OpenApi.Description, "The calling user: account, attributes and notification preferences")
  .add(endpoint(account.getNotificationPreferences))
  .add(endpoint(account.upsertNotificationPreference))
  .add(endpoint(account.deleteUserAttributeValue))
  .add(endpoint(account.getAccount))
  .add(endpoint(account.getCurrentUser))
  .add(endpoint(account.getAttributes))
  .add(endpoint(account.getPrivateAttributes))
  .add(endpoint(account.getPublicAttributes))
  .add(endpoint(account.getAllAttributeCategories))
  .add(endpoint(account.getAttributeCategoryWithValues))
  .add(endpoint(account.updateAvatar))
  .add(endpoint(account.updatePublicAccount))
  .add(endpoint(account.upsertUserAttributeValue))
  .middleware(Authorization) {}

/**
 * The operation interface. Its paths continue a base address that ends in `/api/v1`.
 *
 * @example
 * const document = OpenApi.fromApi(AccountApi)
 */
export class AccountApi extends HttpApi.make("mfgdata")
  .add(AccountGroup)
  .annotate(OpenApi.Title, "Manufacturing Data Service")
  .annotate(OpenApi.Version, version)
  .annotate(OpenApi.Transform, withOwnSchemas) {}
