/**
 * Finds the page of a row in a browser: in the console of the service, or the reference of its resource.
 */
import type { Unreachable } from "@mfgdata/client/ClientError"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Connection } from "./Connection.ts"

/** A service without pages for a browser. */
export class PageMissing extends Data.TaggedError("PageMissing")<{
  readonly origin: string
  readonly resource: string
}> {
  override get message(): string {
    return `The service at ${this.origin} has no console and no reference. mfg ${this.resource} get shows rows on the terminal.`
  }
}

/** A path of the service: with its slash it cannot lead to another host. */
const Path = Schema.optionalWith(Schema.String.pipe(Schema.startsWith("/")), { exact: true })

/** The paths of the pages, as the list of addresses at `/` names them. */
const Pages = Schema.parseJson(Schema.Struct({ console: Path, docs: Path }))

const decode = Schema.decodeUnknownOption(Pages)

/** A page, with its address. */
export interface RowPage {
  readonly page: "console" | "reference"
  readonly url: string
}

/** The page of a row. A service names the paths of its console and its reference in the list of its addresses. */
export const find = (
  { call, profile }: Connection,
  resource: Resource.Any,
  key: string
): Effect.Effect<RowPage, PageMissing | Unreachable> =>
  Effect.gen(function* () {
    // A proxy may mount the service below a path.
    const root = profile.restUrl.replace(/\/rest(?:\/v1)?$/, "")
    const { text } = yield* call({ method: "GET", url: `${root}/` })
    const { console, docs } = Option.getOrElse(decode(text), (): typeof Pages.Type => ({}))
    const name = resource.resource
    if (console !== undefined) {
      const query = new URLSearchParams({ [resource.key]: `eq.${key}` })
      return { page: "console", url: `${root}${console}/${name}?${query.toString()}` }
    }
    if (docs !== undefined) return { page: "reference", url: `${root}${docs}#${name}` }
    return yield* new PageMissing({ origin: new URL(root).origin, resource: name })
  })
