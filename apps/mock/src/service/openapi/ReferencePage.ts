/**
 * The description as a page for people: one document without anything to be fetched from elsewhere.
 */
import { hash } from "node:crypto"
import type * as OpenApiDocument from "./OpenApiDocument.ts"
import type { Described, Media, Operation, Parameter, Response, Schema } from "./OpenApiShape.ts"
import * as ReferenceScript from "./ReferenceScript.ts"
import * as ReferenceStyle from "./ReferenceStyle.ts"

interface Place {
  readonly path: string
  readonly method: string
  readonly operation: Operation
}

const methods = ["get", "post", "put", "patch", "delete"]

const escape = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")

const last = (reference: string): string => reference.slice(reference.lastIndexOf("/") + 1)

const titled = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

/** Prose with `code` and **emphasis**. */
const prose = (text: string): string =>
  escape(text)
    .replaceAll(/`([^`]+)`/g, "<code>$1</code>")
    .replaceAll(/\*\*([^*]+)\*\*/g, "<strong>$1</strong>")

const paragraphs = (text: string): string =>
  text
    .split("\n\n")
    .map((paragraph) => `<p>${prose(paragraph)}</p>`)
    .join("")

const json = (value: unknown): string => escape(JSON.stringify(value, null, 2))

const sample = (label: string, code: string): string =>
  `<figure class="sample"><figcaption>${label}<button type="button" class="copy">Copy</button></figcaption><pre><code>${code}</code></pre></figure>`

const exampleOf = (media: Media | undefined): unknown => {
  const [first] = Object.values(media?.examples ?? {})
  return media?.example === undefined ? first?.value : media.example
}

/** A JSON text that a shell takes between apostrophes. */
const quoted = (value: unknown): string => `'${JSON.stringify(value).replaceAll("'", String.raw`'\''`)}'`

/** The page of a description. */
const render = ({ components, info, paths, tags }: Described): string => {
  const places: ReadonlyArray<Place> = Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method]
      return operation === undefined ? [] : [{ path, method, operation }]
    })
  )

  const resolve = (schema: Schema): Schema =>
    schema.$ref === undefined ? schema : (components.schemas[last(schema.$ref)] ?? schema)

  const typeOf = (schema: Schema): string => {
    if (schema.$ref !== undefined) return last(schema.$ref)
    if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ")
    if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(" | ")
    if (schema.items !== undefined) return `array of ${typeOf(schema.items)}`
    const names = [schema.type ?? "any"].flat().filter((name) => name !== "null")
    const form = schema.format === undefined ? names.join(" | ") : schema.format
    return [schema.type].flat().includes("null") && form !== "" ? `${form} | null` : form || "null"
  }

  /** Ids lead to the resource that they name. */
  const linked = (text: string): string =>
    prose(text).replaceAll(/Names a (\w+)/g, (whole, name: string) =>
      paths[`/${name}`] === undefined ? whole : `Names a <a href="#${name}">${name}</a>`
    )

  const row = (name: string, type: string, note: string, text: string): string =>
    `<tr><th scope="row"><code>${escape(name)}</code></th><td class="type">${escape(type)}</td><td><span class="note ${note.replaceAll(" ", "-")}">${note}</span></td><td>${text}</td></tr>`

  const table = (rows: ReadonlyArray<string>): string =>
    rows.length === 0
      ? ""
      : `<div class="scroll"><table><thead><tr><th>Field</th><th>Type</th><th></th><th></th></tr></thead><tbody>${rows.join("")}</tbody></table></div>`

  const told = ({ description, examples = [] }: Schema): string =>
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
        row(name, typeOf(property), required.includes(name) ? "required" : "optional", told(property))
      )
    )
  }

  /** Every column of a resource: who sets it, and what it is. */
  const columns = (name: string): string => {
    const title = titled(name)
    const create = components.schemas[`${title}Create`]
    return table(
      Object.entries(components.schemas[title]?.properties ?? {}).map(([column, property]) => {
        const isWritable = create?.properties?.[column] !== undefined
        const note = create?.required?.includes(column) ? "required" : isWritable ? "optional" : "set by the service"
        return row(column, typeOf(property), note, told(property).replace("Set by the service.", ""))
      })
    )
  }

  const parameters = ({ parameters = [] }: Operation): ReadonlyArray<Parameter> =>
    parameters.map((parameter) =>
      parameter.$ref === undefined ? parameter : (components.parameters[last(parameter.$ref)] ?? parameter)
    )

  const curl = ({ method, operation, path }: Place): string => {
    const isOperation = path.startsWith("/account/")
    const body = exampleOf(operation.requestBody?.content["application/json"])
    const key = parameters(operation).find(({ required }) => required === true)
    const search = key === undefined ? (method === "get" ? "?limit=10" : "") : `?${key.name}=${String(key.example)}`
    const lines = [
      `curl${method === "get" || method === "post" ? "" : ` -X ${method.toUpperCase()}`} "${isOperation ? "$MFG_BASE_URL" : "$MFG_REST_URL"}${path}${search}"`,
      `-H "Authorization: Bearer $MFG_API_KEY"`,
      ...(body === undefined ? [] : [`-H "Content-Type: application/json"`, `-d ${quoted(body)}`])
    ]
    return sample("Request", escape(lines.join(" \\\n  ")))
  }

  const status = (code: string): string =>
    `<b class="status s${code.charAt(0)}">${code === "default" ? "other" : code}</b>`

  const answer = (code: string, { content, description = "" }: Response): string => {
    const example = exampleOf(content?.["application/json"])
    const label = `${status(code)} ${prose(description)}`
    return example === undefined
      ? `<li>${label}</li>`
      : `<li><details${code.startsWith("2") ? " open" : ""}><summary>${label}</summary><pre><code>${json(example)}</code></pre></details></li>`
  }

  const answers = ({ responses }: Operation): string => {
    const all = Object.entries(responses)
    const shared = all
      .filter(([code, { $ref }]) => $ref !== undefined && code !== "default")
      .map(([code]) => status(code))
    const own = all.filter(([, { $ref }]) => $ref === undefined).map(([code, response]) => answer(code, response))
    return `${own.join("")}${shared.length === 0 ? "" : `<li class="shared"><a href="#refusals">Refusals</a> ${shared.join(" ")}</li>`}`
  }

  /** What all resources refuse alike, told once. */
  const refusals = (): string => {
    const told = new Map(
      places.flatMap(({ operation }) =>
        Object.entries(operation.responses).flatMap(([code, { $ref }]) =>
          $ref === undefined ? [] : [[code, components.responses[last($ref)] ?? {}] as const]
        )
      )
    )
    const list = [...told]
      .toSorted(([one], [other]) => one.localeCompare(other))
      .map(([code, response]) => answer(code, response))
    return `<section id="refusals" data-name="refusals"><h2>Refusals of rows<a class="anchor" href="#refusals" aria-label="Link to refusals">#</a></h2><p class="lead">What every resource refuses, and an instance of each.</p><ul class="answers">${list.join("")}</ul></section>`
  }

  const asked = ({ operation, path }: Place): string => {
    // A filter for each column would repeat the table of columns.
    const columns = components.schemas[titled(path.slice(1))]?.properties ?? {}
    const own = parameters(operation).filter(
      ({ in: where, name = "", required }) => where !== "query" || required === true || columns[name] === undefined
    )
    const schema = operation.requestBody?.content["application/json"]?.schema
    const body = path.startsWith("/account/") && schema !== undefined ? fields(schema) : ""
    return own.length === 0
      ? body
      : `${body}<details><summary>Parameters</summary>${table(
          own.map(({ description = "", in: where = "", name = "", required }) =>
            row(name, where, required === true ? "required" : "optional", prose(description))
          )
        )}</details>`
  }

  const article = (place: Place): string => {
    const { method, operation, path } = place
    const { description, operationId: id, summary } = operation
    return `<article id="${id}"><h3><span class="method ${method}">${method.toUpperCase()}</span><code>${escape(path)}</code><a class="anchor" href="#${id}" aria-label="Link to ${id}">#</a></h3>
<p>${prose(summary)}${description === undefined ? "" : ` <em>${prose(description)}</em>`}</p>
${asked(place)}<div class="pair">${curl(place)}<ul class="answers">${answers(operation)}</ul></div></article>`
  }

  const section = ({ description = "", name }: Described["tags"][number]): string => {
    const own = places.filter(({ operation }) => operation.tags.includes(name))
    const isResource = paths[`/${name}`] !== undefined
    return `<section id="${name}" data-name="${name}"><h2>${name}<a class="anchor" href="#${name}" aria-label="Link to ${name}">#</a></h2><p class="lead">${prose(description)}</p>${isResource ? columns(name) : ""}${own.map(article).join("\n")}</section>`
  }

  const links = ({ name }: Described["tags"][number]): string => {
    const own = places.filter(({ operation }) => operation.tags.includes(name))
    if (paths[`/${name}`] !== undefined) return `<li data-name="${name}"><a href="#${name}">${name}</a></li>`
    return own
      .map(
        ({ operation: { operationId: id } }) =>
          `<li data-name="${id}"><a href="#${id}">${id.slice(name.length + 1)}</a></li>`
      )
      .join("")
  }

  const isOperations = ({ name }: Described["tags"][number]) => paths[`/${name}`] === undefined

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
    .join("")}<li data-name="refusals"><a href="#refusals">Refusals</a></li></ul>
</nav>
<main id="top">
<header><h1>${escape(info.title)}</h1><p class="version">Version ${escape(info.version)} · <a href="/openapi.json">openapi.json</a></p>${paragraphs(info.description)}</header>
<p id="nothing" hidden>Nothing has this name.</p>
${tags.map(section).join("\n")}
${refusals()}
</main>
<script>${ReferenceScript.js}</script>
</body>
</html>
`
}

const source = (text: string): string => `'sha256-${hash("sha256", text, "base64")}'`

/** What the page may do: nothing but show itself, which its reader's browser sees to. */
const policy = `default-src 'none'; style-src ${source(ReferenceStyle.css)}; script-src ${source(ReferenceScript.js)}; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

/** The page, and the headers it goes with. */
export const make = (described: ReturnType<typeof OpenApiDocument.make>) => ({
  // What the page reads is what OpenAPI promises of any description, and the linter holds ours to it.
  body: render(described as unknown as Described),
  headers: { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": policy }
})
