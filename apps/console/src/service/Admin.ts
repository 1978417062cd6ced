/**
 * Calls the administrator's operations, with the types of their declarations in the client.
 */
import type * as AdminApi from "@mfgdata/client/AdminApi"
import { mount, onWorlds, operations, type WireOperation } from "./operations.derived.ts"
import * as Service from "./Service.ts"
import * as World from "../session/World.ts"

/** The options of a call. */
export interface Options {
  /** The world (default: that of the page). */
  readonly world?: string
  readonly signal?: AbortSignal | undefined
  readonly isSilent?: boolean
  /** The file of an upload. */
  readonly file?: Blob
}

/** The fields of a request, all optional that have a default. */
export type Fields<N extends AdminApi.Name> = Partial<AdminApi.Request<N>>

/** The call of an operation, such as for `Live.follow`. */
export const callOf = <N extends AdminApi.Name>(name: N, fields: Fields<N>, options: Options = {}): Service.Call => {
  const { method, path, upload }: WireOperation = operations[name]
  const { file, isSilent, signal, world = World.current.value } = options
  const rest = new Map(Object.entries(fields).filter(([, value]) => value !== undefined))
  const below = path.replaceAll(/:(\w+)/g, (_, field: string) => {
    const value = encodeURIComponent(String(rest.get(field)))
    rest.delete(field)
    return value
  })
  const query = new URLSearchParams(world === "main" || onWorlds.includes(name) ? {} : { world })
  const isInQuery = method !== "POST" || upload !== undefined
  if (isInQuery) for (const [field, value] of rest) query.append(field, String(value))
  return {
    method,
    target: `${mount}${below}${query.size === 0 ? "" : `?${query}`}`,
    credential: "admin",
    signal,
    ...(isSilent === undefined ? {} : { isSilent }),
    ...(file === undefined
      ? isInQuery
        ? {}
        : { headers: { "Content-Type": "application/json" }, body: JSON.stringify(Object.fromEntries(rest)) }
      : { headers: { "Content-Type": upload ?? "application/octet-stream" }, body: file })
  }
}

/** Performs an operation. */
export const perform = async <N extends AdminApi.Name>(
  name: N,
  fields: Fields<N>,
  options: Options = {}
): Promise<AdminApi.Response<N>> =>
  // The service encodes its responses with the schema of this type.
  (await Service.json(callOf(name, fields, options))) as AdminApi.Response<N>

/** Performs an operation whose response is a file. */
export const download = async <N extends AdminApi.Name>(
  name: N,
  fields: Fields<N>,
  options: Options = {}
): Promise<Blob> => (await Service.open(callOf(name, fields, options))).response.blob()
