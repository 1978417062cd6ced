/**
 * Checks every response against the service's own OpenAPI document: the document has its status, its media type and
 * the schema of its body. Fields that the schema does not name are refused here.
 */
import * as Timestamp from "@mfgdata/domain/Timestamp"
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import addFormats from "ajv-formats"
import * as OpenApiDocument from "../../src/service/openapi/OpenApiDocument.ts"

interface Node {
  readonly [name: string]: unknown
}

/** The parts of a request on which the response depends. */
export interface Asked {
  readonly method: string
  readonly target: string
  readonly accept: string | undefined
}

export interface Answered {
  readonly status: number
  readonly contentType: string | undefined
  readonly text: string
}

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && !Array.isArray(value)

const at = (node: unknown, ...names: ReadonlyArray<string>): unknown =>
  names.reduce<unknown>((value, name) => (isNode(value) && Object.hasOwn(value, name) ? value[name] : undefined), node)

/** Schemas without fields besides the named ones. */
const closed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(closed)
  if (!isNode(value)) return value
  const node = Object.fromEntries(Object.entries(value).map(([name, part]) => [name, closed(part)]))
  return isNode(node["properties"]) && Object.keys(node["properties"]).length > 0
    ? { ...node, additionalProperties: false }
    : node
}

const described = OpenApiDocument.make("contract")
const components = { ...described.components, schemas: closed(described.components.schemas) }
const document: Node = { ...described, components }

const ajv = new Ajv2020({ strict: false })
// The plugin is the default export in ES modules, and the module itself in CommonJS.
const formats = addFormats as unknown as { readonly default?: (ajv: Ajv2020) => void } & ((ajv: Ajv2020) => void)
;(formats.default ?? formats)(ajv)
// The plugin accepts the forms of RFC 3339; the document allows those of ISO 8601.
ajv.addFormat("date-time", Timestamp.is)
ajv.addSchema({ ...document, $id: "closed" })
ajv.addSchema({ ...described, $id: "open" })

const validators = new Map<string, ValidateFunction>()

const validator = (place: string): ValidateFunction => {
  const known = validators.get(place)
  if (known !== undefined) return known
  const made = ajv.compile({ $ref: place })
  validators.set(place, made)
  return made
}

/** The reason why a value does not match the schema at a pointer. */
const flaw = (pointer: string, value: unknown, version: "closed" | "open" = "closed"): string | undefined => {
  const validate = validator(`${version}#${pointer}`)
  return validate(value) ? undefined : `${pointer}: ${ajv.errorsText(validate.errors)}`
}

/** A segment of a JSON pointer. */
const step = (name: string): string => `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`

const pointerTo = (...names: ReadonlyArray<string>): string => names.map(step).join("")

const refusal = { "/rest": "RowError", "/api/v1": "BadRequest" }

interface Place {
  readonly mount: keyof typeof refusal
  readonly path: string
  readonly search: URLSearchParams
}

const placeOf = (target: string): Place | undefined => {
  // The raw path: a URL would resolve segments that the service does not.
  const [pathname = "", query = ""] = target.split("?", 2)
  const search = new URLSearchParams(query)
  const [, mount, path = ""] =
    /^(\/rest)(?:\/v1)?(\/.*?)?\/?$/.exec(pathname) ?? /^(\/api\/v1)(\/.*?)?\/?$/.exec(pathname) ?? []
  // The two expressions match the two mounts only.
  return mount === undefined ? undefined : { mount: mount as Place["mount"], path, search }
}

/** Requests whose rows have other fields than the resource's schema. */
const isPartial = ({ search }: Place, { accept = "" }: Asked): boolean =>
  search.has("select") || search.has("columns") || accept.includes("nulls=stripped")

const responseOf = (place: Place, method: string, status: number): ReadonlyArray<string> | undefined => {
  const names = ["paths", place.path, method, "responses"]
  for (const key of status >= 400 ? [String(status), "default"] : [String(status)]) {
    const response = at(document, ...names, key)
    const reference = at(response, "$ref")
    if (typeof reference === "string") return reference.slice(2).split("/")
    if (response !== undefined) return [...names, key]
  }
  return undefined
}

/** The deviation of a response from the document, if any. */
export const flawOf = (asked: Asked, { contentType, status, text }: Answered): string | undefined => {
  const place = placeOf(asked.target)
  if (place === undefined || asked.method === "OPTIONS" || place.path === "/" || place.path === "") return undefined
  // The document has methods in lower case; methods are case-sensitive.
  const isMethod = /^[A-Z]+$/.test(asked.method)
  const method = asked.method === "HEAD" ? "get" : isMethod ? asked.method.toLowerCase() : "none"
  const isKnown = at(document, "paths", place.path, method) !== undefined
  if (!isKnown && status < 400) return `${status} is no answer to ${asked.method} ${asked.target}`
  if (text === "") return undefined
  const media = (contentType ?? "none").split(";", 1)[0]?.replace(/vnd\.pgrst\.(object|array)\+/, "") ?? ""
  if (status >= 400 && media !== "application/json") return `a refusal is JSON, not ${media}`
  const value: unknown = media === "application/json" ? JSON.parse(text) : text
  if (!isKnown) {
    // Unknown paths and methods get the common error body of their interface.
    if (place.mount === "/rest") return flaw(pointerTo("components", "schemas", refusal[place.mount]), value)
    const told = isNode(value) ? { ...value, code: "BAD_REQUEST", status: 400 } : value
    return flaw(pointerTo("components", "schemas", refusal[place.mount]), told)
  }
  const response = responseOf(place, method, status)
  if (response === undefined) return `status ${status} is not described`
  if (at(document, ...response, "content", media) === undefined) return `${media} is not described for ${status}`
  if (status < 400 && place.mount === "/rest" && isPartial(place, asked)) {
    const areRows = typeof value === "string" || (Array.isArray(value) ? value.every(isNode) : isNode(value))
    return areRows ? undefined : "selected rows are objects"
  }
  return flaw(pointerTo(...response, "content", media, "schema"), value)
}

/** The examples of the document that do not match their schemas. */
export const flawedExamples = (): ReadonlyArray<string> => {
  const flaws: Array<string> = []
  const walk = (node: unknown, names: ReadonlyArray<string>): void => {
    if (Array.isArray(node)) return node.forEach((part, index) => walk(part, [...names, String(index)]))
    if (!isNode(node)) return
    const { example, examples, schema } = node
    if (schema !== undefined) {
      const values = isNode(examples) ? Object.values(examples).map((one) => at(one, "value")) : []
      for (const value of example === undefined ? values : [example, ...values]) {
        const found = flaw(pointerTo(...names, "schema"), value, "open")
        if (found !== undefined) flaws.push(found)
      }
    }
    for (const [name, part] of Object.entries(node)) {
      if (name !== "example" && name !== "examples" && name !== "schema") walk(part, [...names, name])
    }
  }
  walk(document, [])
  return flaws
}
