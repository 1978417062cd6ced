/**
 * Finds the facts about the answers to a request, by resource, kind of request, `Prefer`, header name and error code. The
 * most specific fact holds: one of a resource before one of all, one of a kind of request before one of any.
 */
import * as Fact from "@mfgdata/domain/Fact"

export interface AnswerFacts {
  readonly status: (resource: string, request: Fact.Request, prefer: string | undefined) => number | undefined
  readonly shape: (
    resource: string,
    request: Fact.Request,
    prefer: string | undefined
  ) => Fact.Of<"shape">["shape"] | undefined
  readonly error: (
    resource: string,
    requests: ReadonlyArray<Fact.Request>,
    code: string,
    status: number
  ) => Fact.Of<"error"> | undefined
  /** The headers of a response: a value, or null for one that it lacks. */
  readonly headers: (resource: string, request: Fact.Of<"header">["request"]) => ReadonlyMap<string, string | null>
  readonly order: (resource: string) => string | undefined
  readonly ignoresUnknownColumns: (resource: string) => boolean
}

export const make = (facts: ReadonlyArray<Fact.Fact>): AnswerFacts => {
  const places = new Map(facts.map((fact) => [Fact.place(fact), fact]))
  /** The fact of a kind at the first of some places that has one. */
  const at = <K extends Fact.Kind>(kind: K, paths: ReadonlyArray<ReadonlyArray<string | undefined>>) => {
    for (const path of paths) {
      const found = places.get([kind, ...path.filter((part) => part !== undefined)].join(" "))
      // A place begins with the kind of its fact.
      if (found !== undefined) return found as Fact.Of<K>
    }
    return undefined
  }
  const named = (resource: string): ReadonlyArray<string> => [resource, "*"]
  const answer = <K extends "status" | "shape">(kind: K, resource: string, request: string, prefer?: string) =>
    at(
      kind,
      named(resource).flatMap((resource) => [
        [resource, request, prefer],
        [resource, "any", prefer]
      ])
    )
  const headers = facts.filter((fact) => fact.fact === "header")
  return {
    status: (resource, request, prefer) => answer("status", resource, request, prefer)?.status,
    shape: (resource, request, prefer) => answer("shape", resource, request, prefer)?.shape,
    error: (resource, requests, code, status) =>
      at(
        "error",
        named(resource).flatMap((resource) =>
          [...requests, "any"].flatMap((request) => [
            [resource, request, code, String(status)],
            [resource, request, code]
          ])
        )
      ),
    headers: (resource, request) => {
      const found = new Map<string, string | null>()
      // From the least specific to the most specific, which comes last and holds.
      for (const subject of named(resource).toReversed()) {
        for (const kind of ["any", request]) {
          for (const fact of headers) {
            if (fact.resource === subject && fact.request === kind) found.set(fact.name, fact.value)
          }
        }
      }
      return found
    },
    order: (resource) =>
      at(
        "order",
        named(resource).map((resource) => [resource])
      )?.order,
    ignoresUnknownColumns: (resource) =>
      at(
        "unknownColumns",
        named(resource).map((resource) => [resource])
      ) !== undefined
  }
}
