/**
 * Makes identifiers, also on pages without HTTPS, where the browser has no `crypto.randomUUID`.
 */

/** A random identifier of 128 bits. */
export const make = (): string =>
  Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join("-")
