/**
 * Lists the probes of the operation interface and of the description at the root of the row interface.
 */
import type * as Operation from "@mfgdata/domain/Operation"
import * as Operations from "@mfgdata/domain/Operations"
import type * as Ask from "./Ask.ts"
import { absent, type Expectation, type Probe } from "./Probe.ts"

const success: Expectation = { outcome: "success" }
const refused: Expectation = { outcome: "failure", statuses: [400, 422] }

const probe = (
  name: string,
  target: string,
  body: string | undefined,
  options: Omit<Probe, "name" | "verb" | "request"> & Partial<Pick<Ask.Request, "method" | "credentials">> = {}
): Probe => {
  const { credentials, method = "POST", ...rest } = options
  return {
    name,
    verb: "operation",
    request: {
      method,
      face: "operations",
      target,
      ...(body === undefined ? {} : { body }),
      ...(credentials === undefined ? {} : { credentials })
    },
    ...rest
  }
}

/** The parameters of a read: one object for each set of them. */
const parametersOf = (
  name: string,
  userId: string | undefined
): ReadonlyArray<{ readonly [name: string]: unknown }> => {
  if (name === "getAccount") return userId === undefined ? [] : [{ id: userId }]
  if (name === "getAttributes") return [{ isPublic: true }, { isPublic: false }]
  return [{}]
}

/** Reports whether an operation of the contract changes nothing. */
const isRead = ({ extension, scope }: Operation.Any): boolean => !extension && scope !== "account:write"

/** The operations of the contract that change nothing. */
export const operations: ReadonlyArray<Operation.Any> = Object.values<Operation.Any>(Operations.account).filter(isRead)

/** The operation that names the user of the key. */
export const currentUser: Probe = probe("operation", Operations.account.getCurrentUser.path, "{}", { expect: success })

/** The probes of an operation. */
export const make = (operation: Operation.Any, userId: string | undefined): ReadonlyArray<Probe> => {
  const { name, parameters, path } = operation
  const values = userId === undefined ? {} : { values: [userId] }
  const hasParameters = Object.keys(parameters).length > 0
  return [
    ...parametersOf(name, userId).map((body, index) =>
      probe(index === 0 ? "operation" : `operation.${index + 1}`, path, JSON.stringify(body), {
        ...values,
        expect: success
      })
    ),
    probe("operation.badJson", path, "{", { expect: refused }),
    probe("operation.noBody", path, undefined),
    probe("operation.notAnObject", path, "[]", hasParameters ? { expect: refused } : {}),
    ...(hasParameters
      ? [
          probe("operation.missingParameter", path, "{}", { expect: refused }),
          probe(
            "operation.badParameter",
            path,
            JSON.stringify(Object.fromEntries(Object.keys(parameters).map((parameter) => [parameter, { a: 1 }]))),
            { expect: refused }
          )
        ]
      : []),
    ...(name === "getAccount" ? [probe("operation.absent", path, JSON.stringify({ id: absent }))] : []),
    probe("operation.method", path, undefined, { method: "GET" }),
    probe("operation.key.none", path, "{}", {
      credentials: "none",
      expect: { outcome: "failure", statuses: [401] }
    }),
    probe("operation.key.unknown", path, "{}", {
      credentials: "unknown",
      expect: { outcome: "failure", statuses: [401] }
    })
  ]
}

const rows = (name: string, target: string, options: Partial<Ask.Request> = {}): Probe => ({
  name,
  verb: "describe",
  request: { method: "GET", face: "rows", target, ...options }
})

/** The probes of the service as a whole. */
export const service: ReadonlyArray<Probe> = [
  rows("describe", "/"),
  rows("describe.head", "/", { method: "HEAD" }),
  rows("describe.key.none", "/", { credentials: "none" }),
  rows("resource.unknown", "/mfgCompareUnknown?limit=1"),
  rows("resource.unknown.key.none", "/mfgCompareUnknown?limit=1", { credentials: "none" }),
  { ...probe("operation.unknown", "/account/mfgCompareUnknown", "{}"), verb: "describe" }
]
