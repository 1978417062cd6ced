/**
 * Declares the switches of `mfg`.
 */
import type { Term } from "@mfgdata/shell/help/Topic"
import * as Certificates from "@mfgdata/shell/network/Certificates"

export const verbose = "--verbose"
export const trace = "--trace"

/** Each switch with its description. */
export const switches: ReadonlyArray<Term> = [
  [verbose, "Requests and responses on standard error, without keys and other secrets."],
  [trace, "Time of each request on standard error."],
  [`${Certificates.flag} <file>`, "Certificate authorities of the service besides those of Node, in PEM form."]
]
