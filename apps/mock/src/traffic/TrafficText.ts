/**
 * Reduces the bodies of exchanges to a bounded text, and hides the secrets of what others see.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Column from "@mfgdata/domain/Column"
import type * as Exchange from "../Exchange.ts"

/** The largest part of a body that is kept. */
const most: number = 64 * 1024

const decoder = new TextDecoder()

/** The text of a body, cut and copied: a part of a text would keep the whole of it in memory. */
export const fromBody = (body: Exchange.Request["body"]): string => {
  if (typeof body !== "string") return decoder.decode(body.length > most ? body.subarray(0, most) : body)
  return body.length <= most ? body : Buffer.from(body.slice(0, most)).toString()
}

const hidden = "***"

const sensitive = new Set(Catalogue.resources.flatMap(Column.sensitiveNames))
const names = [...sensitive].join("|")

const keys = /\b(mfg|whsec)_[^\s"\\&,;)]+/g
const fields = new RegExp(String.raw`("(?:${names})"\s*:\s*)"(?:[^"\\]|\\.)*"`, "g")
const parameters = new RegExp(String.raw`([?&](?:${names})=)[^&]*`, "g")
const conditions = new RegExp(String.raw`((?:[(,.]|%28|%2C)(?:${names})\.(?:not\.)?\w+(?:\(\w+\))?\.)[^,)&]*`, "gi")
const csvHeader = new RegExp(String.raw`^[^\n]*(?:^|,|")(?:${names})(?:$|,|")`, "m")

/** Hides keys and the values of sensitive columns in a body. */
export const redactBody = (text: string, contentType: string | undefined): string =>
  contentType?.startsWith("text/csv") === true && csvHeader.test(text.split("\n", 1)[0] ?? "")
    ? hidden
    : text.replaceAll(keys, `$1_${hidden}`).replaceAll(fields, `$1"${hidden}"`)

/** Hides keys and the values of sensitive columns in a target. */
export const redactTarget = (target: string): string =>
  target.replaceAll(keys, `$1_${hidden}`).replaceAll(parameters, `$1${hidden}`).replaceAll(conditions, `$1${hidden}`)

const secretHeaders = new Set(["authorization", "apikey", "cookie", "set-cookie", "proxy-authorization"])

/** Hides the headers that carry credentials, and secrets in others, such as in the targets of Content-Location. */
export const redactHeaders = (headers: Exchange.Headers): { readonly [name: string]: string } =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, secretHeaders.has(name.toLowerCase()) ? hidden : redactTarget(value)]]
    )
  )

/** Reports whether a header of a recorded request was hidden. */
export const isHidden = (value: string): boolean => value.includes(hidden)
