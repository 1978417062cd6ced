/**
 * Validates values by the schemas of the service's own OpenAPI document, in two versions: as it is, and `closed`, in
 * which rows are whole and have no other fields.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Timestamp from "@mfgdata/domain/Timestamp"
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import addFormats from "ajv-formats"
import * as OpenApiDocument from "../../src/service/openapi/OpenApiDocument.ts"
import * as RowSchemas from "../../src/service/openapi/RowSchemas.ts"

export interface Node {
  readonly [name: string]: unknown
}

export type Version = "open" | "closed"

export const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const at = (root: unknown, ...names: ReadonlyArray<string>): unknown => {
  let node = root
  for (const name of names) {
    if (typeof node !== "object" || node === null || !Object.hasOwn(node, name)) return undefined
    node = Object.getOwnPropertyDescriptor(node, name)?.value
  }
  return node
}

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

/** The schemas of responses to requests without `select`. */
const wholeSchemas = (): Node => {
  const schemas: Node = described.components.schemas
  const whole = Catalogue.resources.map((resource) => {
    const { row, selected } = RowSchemas.namesOf(resource)
    return [selected, schemas[row]]
  })
  return { ...schemas, ...Object.fromEntries(whole) }
}

const documents: { readonly [V in Version]: Node } = {
  open: { ...described },
  closed: { ...described, components: { ...described.components, schemas: closed(wholeSchemas()) } }
}

const ajv = new Ajv2020({ strict: false })
// The plugin is the default export in ES modules, and the module itself in CommonJS.
const formats = addFormats as unknown as { readonly default?: (ajv: Ajv2020) => void } & ((ajv: Ajv2020) => void)
;(formats.default ?? formats)(ajv)
// The plugin accepts the forms of RFC 3339; the document allows those of ISO 8601.
ajv.addFormat("date-time", Timestamp.is)
for (const [version, document] of Object.entries(documents)) ajv.addSchema({ ...document, $id: version })

const validators = new Map<string, ValidateFunction>()

/** A segment of a JSON pointer. */
const step = (name: string): string => `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`

/** A place in the document. */
export type Place = ReadonlyArray<string>

/** The part of the document at a place. */
export const part = (...place: Place): unknown => at(described, ...place)

/** The place, or the one that it refers to. */
export const resolved = (place: Place): Place => {
  const reference = part(...place, "$ref")
  return typeof reference === "string" ? reference.slice(2).split("/") : place
}

/** The validator of the schema at a place. Most places have one of a few schemas, which are compiled once. */
const validatorOf = (place: Place, version: Version): ValidateFunction => {
  const key = `${version} ${JSON.stringify(part(...place))}`
  const known = validators.get(key)
  if (known !== undefined) return known
  const made = ajv.compile({ $ref: `${version}#${place.map(step).join("")}` })
  validators.set(key, made)
  return made
}

/** The reason why a value does not match the schema at a place. */
export const flaw = (place: Place, value: unknown, version: Version): string | undefined => {
  const validate = validatorOf(place, version)
  return validate(value) ? undefined : `${version} ${place.join(" ")}: ${ajv.errorsText(validate.errors)}`
}

/** An operation of the document. */
export interface Operation {
  readonly place: Place
  /** The key and the columns of its rows, for an operation on rows. */
  readonly search: URLSearchParams
  readonly interface: "rows" | "operations"
  /** Undefined if the document has no such path or method. */
  readonly known: boolean
}

/** The operation of a request; undefined outside of the two interfaces. `/rest/v1` is the same interface as `/rest`. */
export const operationOf = (method: string, target: string): Operation | undefined => {
  // The raw path: a URL would resolve segments that the service does not.
  const [pathname = "", query = ""] = target.split("?", 2)
  const [, mount, rest = ""] =
    /^(\/rest)(?:\/v1)?(\/.*?)?\/?$/.exec(pathname) ?? /^(\/api\/v1)(\/.*?)?\/?$/.exec(pathname) ?? []
  if (mount === undefined || rest === "" || rest === "/" || rest === "/openapi.json") return undefined
  // The document has methods in lower case; methods are case-sensitive.
  const isMethod = /^[A-Z]+$/.test(method)
  const verb = method === "HEAD" ? "get" : isMethod ? method.toLowerCase() : "none"
  const place = ["paths", mount + rest, verb]
  return {
    place,
    search: new URLSearchParams(query),
    interface: mount === "/rest" ? "rows" : "operations",
    known: part(...place) !== undefined
  }
}

/** The examples of the document that do not match their schemas. */
export const flawedExamples = (): ReadonlyArray<string> => {
  const flaws: Array<string> = []
  const walk = (node: unknown, place: Place): void => {
    if (Array.isArray(node)) return node.forEach((item, index) => walk(item, [...place, String(index)]))
    if (!isNode(node)) return
    const { example, examples, schema } = node
    if (schema !== undefined) {
      const values = isNode(examples)
        ? Object.keys(examples).map((name) => part(...resolved([...place, "examples", name]), "value"))
        : []
      for (const value of example === undefined ? values : [example, ...values]) {
        const found = flaw([...place, "schema"], value, "open")
        if (found !== undefined) flaws.push(found)
      }
    }
    for (const [name, value] of Object.entries(node)) {
      if (name !== "example" && name !== "examples" && name !== "schema") walk(value, [...place, name])
    }
  }
  walk(described, [])
  return flaws
}
