/**
 * Recognizes personal data and secrets: by the name of a column or of a field of its JSON, and e-mail addresses and
 * telephone numbers inside texts. Names of people inside texts are not recognized.
 */
import type { Pseudonyms } from "./Pseudonym.ts"
import type { Rule } from "./ScrubRule.ts"

const persons =
  "first|last|middle|given|family|full|display|user|contact|person|employee|customer|supplier|buyer|seller|driver|recipient|sender|signer|signed|assigned"

/** The names of columns and JSON fields with personal data, and their rules; the first that matches counts. */
const byName: ReadonlyArray<readonly [pattern: RegExp, rule: Rule]> = [
  [/e[-_]?mails?(address(es)?)?$/i, "email"],
  [/(phone|mobile|fax|telephone|cell)(number)?s?$/i, "phone"],
  [new RegExp(`^(${persons})[-_]?(by[-_]?)?names?$`, "i"), "name"],
  [/^(surname|nickname|contact|person|attention)$/i, "name"],
  [/^(street|address|postal|zip)([-_]?(address|code|line|name|\d))*$/i, "text"],
  [
    /(birth[-_]?(date|day|place)|date[-_]?of[-_]?birth|ssn|social[-_]?security([-_]?number)?|passport([-_]?number)?|iban)$/i,
    "text"
  ]
]

const secret = /(secret|password|passwd|passphrase|token|api[-_]?key|private[-_]?key|credentials?)$/i

/** The rule of a column or JSON field by its name, if the name is one of personal data. */
export const ruleOf = (name: string): Rule | undefined => byName.find(([pattern]) => pattern.test(name))?.[1]

/** Reports whether the name is that of a secret. */
export const isSecret = (name: string): boolean => secret.test(name)

const email = /[\p{L}\p{N}._%+'-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu
/** A number with a country code, one with its area code in brackets, and one in the North American form. */
const phone = /\+\d(?:[\s()./-]{0,2}\d){6,13}|\(\d{2,5}\)[\s./-]?\d(?:[\s./-]?\d){4,9}|\b\d{3}[-. ]\d{3}[-. ]\d{4}\b/g

/** Replaces the e-mail addresses in a text. */
export const withoutEmails = (text: string, { email: toEmail }: Pseudonyms): string =>
  text.includes("@") ? text.replaceAll(email, toEmail) : text

/** Replaces the e-mail addresses and telephone numbers in a text. */
export const withoutContacts = (text: string, pseudonyms: Pseudonyms): string =>
  withoutEmails(text, pseudonyms).replaceAll(phone, pseudonyms.phone)
