/**
 * Generates the OpenAPI webhooks: the request that a webhook sends for a change of a row, for each resource, and the path
 * of the secret that verifies these requests.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Column from "@mfgdata/domain/Column"
import type * as Resource from "@mfgdata/domain/Resource"
import * as WebhookEvent from "@mfgdata/domain/WebhookEvent"
import * as Delivery from "../../webhooks/Delivery.ts"
import * as WebhookSecretRoute from "../../webhooks/WebhookSecretRoute.ts"
import * as JsonSchema from "./JsonSchema.ts"
import * as RowErrorResponses from "./RowErrorResponses.ts"
import * as RowExamples from "./RowExamples.ts"
import * as RowSchemas from "./RowSchemas.ts"

type Node = JsonSchema.Node

/** The events of every table: one schema for each type of change. */
const changes = (): ReadonlyArray<Node> => {
  const { anyOf } = JsonSchema.make(WebhookEvent.Body.ast)
  return Array.isArray(anyOf) ? anyOf.filter(JsonSchema.isNode) : []
}

const eventId = "0mjz1x3400example001-1"

const headers: ReadonlyArray<Node> = [
  [WebhookEvent.headers.id, "The id of the event, the same in every attempt", eventId],
  [WebhookEvent.headers.timestamp, "The time of the attempt, in seconds since 1970", "1767600000"],
  [
    WebhookEvent.headers.signature,
    "`v1,` and the signature in base64; several with spaces between them",
    "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4="
  ]
].map(([name, description, example]) => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" },
  example
}))

/** A row of an event: a required column that events withhold is null there. */
const rowOf = (resource: Resource.Any): Node => {
  const row = JsonSchema.reference(RowSchemas.namesOf(resource).row)
  return Column.fromResource(resource).some(({ nullable, sensitive }) => sensitive && !nullable)
    ? { anyOf: [JsonSchema.make(WebhookEvent.rowSchema(resource).ast), row] }
    : row
}

const schemaOf = (resource: Resource.Any, change: Node): Node => {
  const { properties } = change
  if (!JsonSchema.isNode(properties)) return change
  const row = rowOf(resource)
  return {
    ...change,
    properties: {
      ...properties,
      table: { const: resource.resource },
      record: row,
      ...(properties["old"] === undefined ? {} : { old: row })
    }
  }
}

const withheld = (resource: Resource.Any): object =>
  Object.fromEntries(
    Column.fromResource(resource).flatMap(({ name, sensitive }) => (sensitive ? [[name, null] as const] : []))
  )

/** A delivered body, as the service makes it. */
const exampleOf = (resource: Resource.Any): unknown => {
  const record = JSON.stringify({ ...RowExamples.make(resource).row, ...withheld(resource) })
  return JSON.parse(
    Delivery.body("INSERT", resource.resource, RowExamples.company, eventId, "2026-01-05T08:00:00.000Z", record, null)
  )
}

const webhook = (resource: Resource.Any): Node => {
  const { resource: name } = resource
  return {
    post: {
      operationId: `${name}.changed`,
      summary: `Delivers a change of a row of ${name}`,
      description: `A row of the resource webhook with the table ${name} subscribes to these requests. They are signed as Standard Webhooks describes. Deliveries arrive at least once; those of one row arrive in order.`,
      tags: [name],
      security: [],
      parameters: headers,
      requestBody: {
        required: true,
        content: {
          "application/json": {
            schema: JsonSchema.reference(RowSchemas.namesOf(resource).event),
            example: exampleOf(resource)
          }
        }
      },
      responses: {
        "2XX": { description: "The event was received, within 15 seconds" },
        "410": { description: "The receiver is gone: the webhook is disabled" },
        default: { description: "The delivery is retried" }
      }
    }
  }
}

/** The path of the secret of a webhook. */
const secretPath: Node = {
  post: {
    operationId: "webhook.secret",
    summary: "Shows the secret of a webhook, once",
    description: "Returns the secret that verifies the deliveries of the webhook. Only the first request gets it.",
    tags: ["webhook"],
    security: [{ bearerAuth: ["webhook:update"] }],
    parameters: [
      {
        name: "id",
        in: "path",
        required: true,
        description: "The id of the webhook",
        schema: { type: "string" },
        example: RowExamples.make(Catalogue.byName.webhook).row["id"]
      }
    ],
    responses: {
      "200": {
        description: "The secret",
        content: {
          "application/json": {
            schema: { type: "object", required: ["secret"], properties: { secret: { type: "string" } } },
            example: { secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" }
          }
        }
      },
      ...RowErrorResponses.byStatus(404),
      "409": RowErrorResponses.of("The secret was already shown", { _tag: "WebhookSecretShown" })
    }
  }
}

/** The webhooks by resource, with the schemas of their bodies, in slices. */
export const slices = function* (resources: ReadonlyArray<Resource.Any>) {
  const every = changes()
  const webhooks: { [resource: string]: Node } = {}
  const schemas: { [name: string]: Node } = {}
  for (const resource of resources) {
    webhooks[resource.resource] = webhook(resource)
    schemas[RowSchemas.namesOf(resource).event] = {
      description: `A change of a row of ${resource.resource}.`,
      anyOf: every.map((change) => schemaOf(resource, change))
    }
    yield
  }
  return { paths: { [`${WebhookSecretRoute.mount}{id}/secret`]: secretPath }, webhooks, schemas }
}
