/**
 * Writes a recorded call as code: a curl command, an `mfg` command and TypeScript. The key is a variable.
 */
import * as Catalogue from "./Catalogue.ts"
import type { RecordedCall } from "./RequestLog.ts"

/** The part of a call that its code needs. */
export type CodeCall = Pick<RecordedCall, "method" | "target" | "headers" | "body" | "credential">

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

const keyVariable = { api: "MFG_API_KEY", admin: "MFG_MOCK_ADMIN_KEY" } as const

/** A curl command. */
export const curl = ({ body, credential, headers, method, target }: CodeCall, origin: string): string => {
  const isDefault = method === "GET" || (method === "POST" && body !== undefined)
  return [
    `curl${isDefault ? "" : method === "HEAD" ? " --head" : ` -X ${method}`} ${quoted(origin + target)}`,
    `-H "Authorization: Bearer $${keyVariable[credential]}"`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${quoted(body)}`])
  ].join(" \\\n  ")
}

/** The resource and the query of a call of the row interface. */
const rowsOf = (target: string) => {
  const [, name = "", search = ""] = /^\/rest\/(\w+)(?:\?(.*))?$/.exec(target) ?? []
  const resource = Catalogue.find(name)
  if (resource === undefined) return undefined
  const [, key] = new RegExp(`^${resource.key}=eq\\.([^&]+)$`).exec(search) ?? []
  return { resource, search, key: key === undefined ? undefined : decodeURIComponent(key) }
}

/** The path as `mfg api` takes it: below the row interface, or of the operation interface. */
const apiPath = (target: string): string => target.replace(/^\/rest(?=\/)|^\/api\/v1(?=\/)/, "")

/** An `mfg` command. */
export const mfg = ({ body, credential, headers, method, target }: CodeCall): string => {
  const rows = rowsOf(target)
  if (rows?.key !== undefined && method === "GET") return `mfg ${rows.resource.name} get ${quoted(rows.key)}`
  if (rows?.key !== undefined && method === "DELETE") return `mfg ${rows.resource.name} delete ${quoted(rows.key)}`
  const kept = Object.entries(headers).filter(([name]) => name !== "Content-Type")
  return [
    `mfg api ${method} ${quoted(apiPath(target))}${credential === "admin" ? " --admin" : ""}`,
    ...kept.map(([name, value]) => `--header ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--body ${quoted(body)}`])
  ].join(" \\\n  ")
}

const titled = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

const indented = (body: string | undefined): string => {
  try {
    return JSON.stringify(JSON.parse(body ?? ""), null, 2).replaceAll(/"([A-Za-z_]\w*)":/g, "$1:")
  } catch {
    return JSON.stringify(body)
  }
}

/** TypeScript: with the client for rows, else with `fetch`. */
export const typescript = (call: CodeCall, origin: string): string => {
  const { body, credential, headers, method, target } = call
  const rows = rowsOf(target)
  const name = rows === undefined ? "" : titled(rows.resource.name)
  const keyType = rows?.resource.keyType
  /** Values with the types of a write: dates and ids are branded. */
  const decoded = (schema: string, body: string | undefined) =>
    `Schema.decodeUnknownSync(${name}.${schema})(${indented(body)})`
  const statement = () => {
    if (rows === undefined) return undefined
    const { key, search } = rows
    const id =
      key === undefined
        ? undefined
        : keyType === undefined
          ? JSON.stringify(key)
          : `${keyType}.make(${JSON.stringify(key)})`
    if (method === "POST") return `await rows.create(${name}, ${decoded("Create", body)})`
    if (method === "PATCH" && id !== undefined) return `await rows.update(${name}, ${id}, ${decoded("Update", body)})`
    if (method === "DELETE" && id !== undefined) return `await rows.remove(${name}, ${id})`
    if (method !== "GET") return undefined
    if (id !== undefined) return `console.log(await rows.retrieve(${name}, ${id}))`
    const query = search === "" ? "" : `, Query.fromText(${JSON.stringify(search)})`
    return `console.log(await rows.list(${name}${query}))`
  }
  const code = statement()
  if (code !== undefined) {
    const imported = [name, ...[keyType, "Query"].filter((each) => each !== undefined && code.includes(`${each}.`))]
    return [
      `import { connect } from "@mfgdata/client/promise"`,
      `import { ${imported.join(", ")} } from "@mfgdata/domain"`,
      ...(code.includes("Schema.") ? [`import * as Schema from "effect/Schema"`] : []),
      "",
      `const rows = connect({ restUrl: "${origin}/rest", apiKey: process.env["MFG_API_KEY"] ?? "" })`,
      code
    ].join("\n")
  }
  const entries = [
    `Authorization: \`Bearer \${process.env["${keyVariable[credential]}"]}\``,
    ...Object.entries(headers).map(([header, value]) => `${JSON.stringify(header)}: ${JSON.stringify(value)}`)
  ]
  return [
    `const response = await fetch(${JSON.stringify(origin + target)}, {`,
    ...(method === "GET" ? [] : [`  method: ${JSON.stringify(method)},`]),
    `  headers: { ${entries.join(", ")} }${body === undefined ? "" : ","}`,
    ...(body === undefined ? [] : [`  body: JSON.stringify(${indented(body).replaceAll("\n", "\n  ")})`]),
    "})",
    "console.log(await response.json())"
  ].join("\n")
}
