/**
 * Texts that are addresses which a service can send to. A column says so once, on its schema; reads take any text, and
 * who writes one checks it.
 */
import * as Option from "effect/Option"
import * as AST from "effect/SchemaAST"
import { Text } from "./Text.ts"

const HttpAddressId: unique symbol = Symbol.for("@mfgdata/domain/HttpAddress")

const longest = 2048

/** What a text without {@link flaw} is called in errors. */
export const description = `an http or https address without credentials, of at most ${longest} characters`

const parse = (text: string): URL | undefined => {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}

/** Why a text is no such address, without the text, or `undefined` when it is one. */
export const flaw = (text: string): string | undefined => {
  if (text.length > longest) return `a text of ${text.length} characters`
  // A parser drops these, so that what is kept would not be what is called.
  if (/[\s\p{Cc}]/u.test(text)) return "a text with blanks"
  const url = parse(text)
  if (url === undefined) return "a text that is no address"
  if (url.protocol !== "http:" && url.protocol !== "https:") return `an address that begins with ${url.protocol}`
  return url.username === "" && url.password === "" ? undefined : "an address with credentials"
}

/** Any text, which whoever writes it holds against {@link flaw}. */
export class HttpAddress extends Text.annotations({
  [HttpAddressId]: true,
  jsonSchema: { type: "string", format: "uri", maxLength: longest },
  arbitrary: () => (fc) => fc.webUrl()
}) {}

/** Whether a schema's texts are addresses. */
export const is = (ast: AST.AST): boolean => Option.isSome(AST.getAnnotation(HttpAddressId)(ast))
