/**
 * Compiles the match of a fault rule to a predicate of requests.
 */
import type * as AdminApi from "@mfgdata/client/AdminApi"
import * as Operations from "@mfgdata/domain/Operations"
import * as Exchange from "../Exchange.ts"

/** The properties of a request by which rules match. */
export interface Subject {
  readonly request: Exchange.Request
  readonly path: string
  readonly resource: string | undefined
  readonly operation: string | undefined
  /** The key of the request, by its id and name. */
  readonly key: () => { readonly keyId: string; readonly keyName: string } | undefined
}

type Match = NonNullable<AdminApi.FaultRule["match"]>

const isSame = (wanted: string, value: string | undefined): boolean =>
  value !== undefined && (wanted === "*" || wanted === value)

const literal = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&")

/** The predicate of a path, in which `*` matches any text. */
const pathPredicate = (path: string): ((text: string) => boolean) => {
  if (!path.includes("*")) return (text) => text === path
  const pattern = new RegExp(`^${path.split("*").map(literal).join(".*")}$`, "s")
  return (text) => pattern.test(text)
}

const operationOf = ({ operation }: Match): string | undefined =>
  Operations.all.find(({ name }) => name === operation)?.id ?? operation

/** The resource or operation that a match names. */
export const nameOf = (match: Match = {}): string | undefined => match.resource ?? operationOf(match)

/** The predicate of a match. What decides most requests is compared first. */
export const compile = (match: Match = {}): ((subject: Subject) => boolean) => {
  const { bodyBytes, key, method, path, resource } = match
  const operation = operationOf(match)
  const isPath = path === undefined ? undefined : pathPredicate(path)
  const headers = Object.entries(match.header ?? {}).map(([name, value]) => [name.toLowerCase(), value] as const)
  const hasHeaders = headers.length > 0
  return (subject) => {
    const { request } = subject
    if (method !== undefined && method !== request.method) return false
    if (resource !== undefined && resource !== subject.resource) return false
    if (operation !== undefined && operation !== subject.operation) return false
    if (isPath === undefined && subject.resource === undefined && subject.operation === undefined) return false
    if (isPath !== undefined && !isPath(subject.path)) return false
    if (hasHeaders && headers.some(([name, value]) => !isSame(value, request.headers[name]))) return false
    if (bodyBytes !== undefined && Exchange.bytesOf(request.body) < bodyBytes) return false
    if (key === undefined) return true
    const caller = subject.key()
    return caller !== undefined && (caller.keyName === key || caller.keyId === key)
  }
}
