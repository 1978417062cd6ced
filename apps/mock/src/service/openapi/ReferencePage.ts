/**
 * Renders the OpenAPI document as an HTML page that loads nothing else.
 */
import * as ServiceAddress from "@mfgdata/client/ServiceAddress"
import { hash } from "node:crypto"
import * as Slices from "../../world/Slices.ts"
import * as OpenApiDocument from "./OpenApiDocument.ts"
import type { Document, Media, Operation, Parameter, Response, Schema } from "./OpenApiShape.ts"
import * as ConsoleAssets from "../console/ConsoleAssets.ts"
import * as RowPaths from "./RowPaths.ts"
import * as ReferenceScript from "./ReferenceScript.ts"
import * as ReferenceStyle from "./ReferenceStyle.ts"
import { escape, json, paragraphs, prose } from "./ReferenceText.ts"
import * as RowSchemas from "./RowSchemas.ts"

/** An operation with its path and method. */
interface Endpoint {
  readonly path: string
  readonly method: string
  readonly operation: Operation
}

const methods = ["get", "post", "put", "patch", "delete"]

const last = (reference: string): string => reference.slice(reference.lastIndexOf("/") + 1)

const titled = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

const sample = (label: string, code: string, tried: string): string =>
  `<figure class="sample"><figcaption>${label}<span>${tried}<button type="button" class="copy">Copy</button></span></figcaption><pre tabindex="0"><code>${code}</code></pre></figure>`

/** The button that opens a form for a request, which the script makes of these attributes. */
const tryButton = (id: string, method: string, target: string, body: unknown): string => {
  const text = body === undefined ? "" : ` data-body="${json(body)}"`
  return `<button type="button" class="try" aria-expanded="false" aria-label="Try it: ${id}" data-method="${method.toUpperCase()}" data-target="${escape(target)}"${text}>Try it</button>`
}

export interface Options {
  /** Adds links to the console. */
  readonly hasConsole: boolean
}

/** The path of a resource. */
const pathOf = (resource: string): string => `${RowPaths.mount}/${resource}`

/** The variable with the address of each interface, by its mount. */
const bases = { [RowPaths.mount]: "$MFG_REST_URL", [OpenApiDocument.operationMount]: "$MFG_BASE_URL" }

/** The address of a path in a command. */
const addressOf = (path: string): string => {
  const [mount = "", base = ServiceAddress.defaultOrigin] =
    Object.entries(bases).find(([mount]) => path.startsWith(`${mount}/`)) ?? []
  return base + path.slice(mount.length)
}

/** JSON as a quoted argument of a shell. */
const quoted = (value: unknown): string => `'${JSON.stringify(value).replaceAll("'", String.raw`'\''`)}'`

/** The page of a document. */
const render = function* ({ components, info, paths, tags }: Document, { hasConsole }: Options): Slices.Slices<string> {
  /** A link to a place in the console of the same service. */
  const toConsole = (place: string, text: string): string =>
    hasConsole ? `<a class="to-console" href="${ConsoleAssets.mount}${place}">${text}</a>` : ""

  const endpoints: ReadonlyArray<Endpoint> = Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method]
      return operation === undefined ? [] : [{ path, method, operation }]
    })
  )

  const exampleOf = (media: Media | undefined): unknown => {
    const [first] = Object.values(media?.examples ?? {})
    const example = first?.$ref === undefined ? first : components.examples[last(first.$ref)]
    return media?.example === undefined ? example?.value : media.example
  }

  const resolve = (schema: Schema): Schema =>
    schema.$ref === undefined ? schema : (components.schemas[last(schema.$ref)] ?? schema)

  const typeOf = (schema: Schema): string => {
    if (schema.$ref !== undefined) return last(schema.$ref)
    if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ")
    if (schema.const !== undefined) return JSON.stringify(schema.const)
    if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(" | ")
    if (schema.items !== undefined) return `array of ${typeOf(schema.items)}`
    const names = [schema.type ?? "any"].flat().filter((name) => name !== "null")
    const form = schema.format === undefined ? names.join(" | ") : schema.format
    return [schema.type].flat().includes("null") && form !== "" ? `${form} | null` : form || "null"
  }

  /** Renders a description, with links to the resources that it references. */
  const linked = (text: string): string =>
    prose(text).replaceAll(/References (\w+)/g, (whole, name: string) =>
      paths[pathOf(name)] === undefined ? whole : `References <a href="#${name}">${name}</a>`
    )

  const row = (name: string, type: string, note: string, text: string): string =>
    `<tr><th scope="row"><code>${escape(name)}</code></th><td class="type">${escape(type)}</td><td><span class="note ${note.replaceAll(" ", "-")}">${note}</span></td><td>${text}</td></tr>`

  const table = (rows: ReadonlyArray<string>): string =>
    rows.length === 0
      ? ""
      : `<div class="scroll" tabindex="0"><table><thead><tr><th>Field</th><th>Type</th><th>Use</th><th>Description</th></tr></thead><tbody>${rows.join("")}</tbody></table></div>`

  const describe = ({ description, examples = [] }: Schema): string =>
    [
      description === undefined ? "" : linked(description),
      examples.length === 0
        ? ""
        : `<span class="words">${examples.map((word) => `<code>${escape(String(word))}</code>`).join(" ")}</span>`
    ].join(" ")

  const fields = (schema: Schema): string => {
    const { properties = {}, required = [] } = resolve(schema)
    return table(
      Object.entries(properties).map(([name, property]) =>
        row(name, typeOf(property), required.includes(name) ? "required" : "optional", describe(property))
      )
    )
  }

  /** The table of the columns of a resource. */
  const columns = (name: string): string => {
    const title = titled(name)
    const create = components.schemas[`${title}Create`]
    return table(
      Object.entries(components.schemas[title]?.properties ?? {}).map(([column, property]) => {
        const isWritable = property.description?.includes(RowSchemas.setByService) !== true
        const note = create?.required?.includes(column) ? "required" : isWritable ? "optional" : "set by the service"
        return row(column, typeOf(property), note, describe(property).replace(RowSchemas.setByService, ""))
      })
    )
  }

  const parameters = ({ parameters = [] }: Operation): ReadonlyArray<Parameter> =>
    parameters.map((parameter) =>
      parameter.$ref === undefined ? parameter : (components.parameters[last(parameter.$ref)] ?? parameter)
    )

  const curl = ({ method, operation, path }: Endpoint): string => {
    const body = exampleOf(operation.requestBody?.content["application/json"])
    // curl sends GET, and POST if there is a body.
    const isDefault = method === "get" || (method === "post" && body !== undefined)
    const key = ["put", "patch", "delete"].includes(method)
      ? parameters(operation).find(({ in: where }) => where === "query")
      : undefined
    const search = key === undefined ? (method === "get" ? "?limit=10" : "") : `?${key.name}=${String(key.example)}`
    const lines = [
      `curl${isDefault ? "" : ` -X ${method.toUpperCase()}`} "${addressOf(path)}${search}"`,
      `-H "Authorization: Bearer $MFG_API_KEY"`,
      ...(body === undefined ? [] : [`-H "Content-Type: application/json"`, `-d ${quoted(body)}`])
    ]
    const tried = tryButton(operation.operationId, method, `${path}${search}`, body)
    return sample("Request", escape(lines.join(" \\\n  ")), tried)
  }

  const status = (code: string): string =>
    `<b class="status s${code.charAt(0)}">${code === "default" ? "other" : code}</b>`

  const response = (code: string, { content, description = "" }: Response): string => {
    const example = exampleOf(content?.["application/json"])
    const label = `${status(code)} ${prose(description)}`
    return example === undefined
      ? `<li>${label}</li>`
      : `<li><details${code.startsWith("2") ? " open" : ""}><summary>${label}</summary><pre tabindex="0"><code>${json(example)}</code></pre></details></li>`
  }

  const responses = ({ responses }: Operation): string => {
    const all = Object.entries(responses)
    const shared = all
      .filter(([code, { $ref }]) => $ref !== undefined && code !== "default")
      .map(([code]) => status(code))
    const own = all.filter(([, { $ref }]) => $ref === undefined).map(([code, value]) => response(code, value))
    return `${own.join("")}${shared.length === 0 ? "" : `<li class="shared"><a href="#errors">Errors</a> ${shared.join(" ")}</li>`}`
  }

  /** The section of the error responses that all resources have in common. */
  const errors = (): string => {
    const shared = new Map(
      endpoints.flatMap(({ operation }) =>
        Object.entries(operation.responses).flatMap(([code, { $ref }]) =>
          $ref === undefined ? [] : [[code, components.responses[last($ref)] ?? {}] as const]
        )
      )
    )
    const list = [...shared]
      .toSorted(([one], [other]) => one.localeCompare(other))
      .map(([code, value]) => response(code, value))
    return `<section id="errors" data-name="errors"><h2>Errors of rows<a class="anchor" href="#errors" aria-label="Link to errors">#</a></h2><p class="lead">The error responses of all resources, with an example of each.</p><ul class="responses">${list.join("")}</ul></section>`
  }

  const requestFields = ({ operation, path }: Endpoint): string => {
    // The filters are left out, because the table of columns lists the same names.
    const isRows = path.startsWith(`${RowPaths.mount}/`)
    const columns = isRows ? (components.schemas[titled(last(path))]?.properties ?? {}) : {}
    const own = parameters(operation).filter(
      ({ in: where, name = "", required }) => where !== "query" || required === true || columns[name] === undefined
    )
    const schema = operation.requestBody?.content["application/json"]?.schema
    const body = !isRows && schema !== undefined ? fields(schema) : ""
    return own.length === 0
      ? body
      : `${body}<details><summary>Parameters</summary>${table(
          own.map(({ description = "", in: where = "", name = "", required }) =>
            row(name, where, required === true ? "required" : "optional", prose(description))
          )
        )}</details>`
  }

  const article = (endpoint: Endpoint): string => {
    const { method, operation, path } = endpoint
    const { description, operationId: id, summary } = operation
    return `<article id="${id}"><h3><span class="method ${method}">${method.toUpperCase()}</span><code>${escape(path)}</code><a class="anchor" href="#${id}" aria-label="Link to ${id}">#</a></h3>
<p>${prose(summary)}${description === undefined ? "" : ` <em>${prose(description)}</em>`}</p>
${requestFields(endpoint)}<div class="pair">${curl(endpoint)}<ul class="responses">${responses(operation)}</ul></div></article>`
  }

  const section = ({ description = "", name }: Document["tags"][number]): string => {
    const own = endpoints.filter(({ operation }) => operation.tags.includes(name))
    const isResource = paths[pathOf(name)] !== undefined
    return `<section id="${name}" data-name="${name}"><h2>${name}<a class="anchor" href="#${name}" aria-label="Link to ${name}">#</a>${isResource ? toConsole(`/${name}`, `Rows of ${name} in the console`) : ""}</h2><p class="lead">${prose(description)}</p>${isResource ? columns(name) : ""}${own.map(article).join("\n")}</section>`
  }

  const links = ({ name }: Document["tags"][number]): string => {
    const own = endpoints.filter(({ operation }) => operation.tags.includes(name))
    if (paths[pathOf(name)] !== undefined) return `<li data-name="${name}"><a href="#${name}">${name}</a></li>`
    return own
      .map(
        ({ operation: { operationId: id } }) =>
          `<li data-name="${id}"><a href="#${id}">${id.slice(name.length + 1)}</a></li>`
      )
      .join("")
  }

  const isOperations = ({ name }: Document["tags"][number]) => paths[pathOf(name)] === undefined

  const sections: Array<string> = []
  for (const tag of tags) {
    sections.push(section(tag))
    yield
  }

  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(info.title)}</title>
<link rel="icon" href="data:,">
<style>${ReferenceStyle.css}</style>
</head>
<body>
<nav>
<header><a href="#top">${escape(info.title)}</a><button type="button" id="theme" aria-label="Light or dark">◐</button></header>
<input id="search" type="search" placeholder="Search (press /)" aria-label="Search">
<h4>Operations</h4><ul>${tags.filter(isOperations).map(links).join("")}</ul>
<h4>Rows</h4><ul>${tags
    .filter((tag) => !isOperations(tag))
    .map(links)
    .join("")}<li data-name="errors"><a href="#errors">Errors</a></li></ul>
</nav>
<main id="top">
<header><h1>${escape(info.title)}</h1><p class="version">Version ${escape(info.version)} · <a href="/openapi.json">openapi.json</a>${hasConsole ? " · " : ""}${toConsole("", "Console")}</p>${paragraphs(info.description)}</header>
<p id="nothing" hidden>No results.</p>
${sections.join("\n")}
${errors()}
</main>
<script>${ReferenceScript.js}</script>
</body>
</html>
`
}

const source = (text: string): string => `'sha256-${hash("sha256", text, "base64")}'`

/** The Content-Security-Policy of the page: only its own style and script, and requests to its own origin. */
const policy = `default-src 'none'; style-src ${source(ReferenceStyle.css)}; script-src ${source(ReferenceScript.js)}; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

/** The page and its headers, in slices. */
export const slices = function* (document: ReturnType<typeof OpenApiDocument.make>, options: Options) {
  return {
    // The page reads only the standard form of OpenAPI documents, which a test validates.
    body: yield* render(document as unknown as Document, options),
    headers: { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": policy }
  }
}

/** The page and its headers. */
export const make = (document: ReturnType<typeof OpenApiDocument.make>, options: Options) =>
  Slices.run(slices(document, options))
