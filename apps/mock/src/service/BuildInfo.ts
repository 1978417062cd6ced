/**
 * Reads the version of this package.
 */
import { createRequire } from "node:module"

const require = createRequire(import.meta.url)

/** The manifest's place next to a bundle in `dist`, and next to the folder of this module in `src` or `dist`. */
const places = ["../package.json", "../../package.json"]

const versionAt = (place: string): string | undefined => {
  try {
    // A manifest of npm has these fields.
    const { name, version } = require(place) as { readonly name?: string; readonly version?: string }
    return name === "@mfgdata/mock" ? version : undefined
  } catch {
    return undefined
  }
}

let known: string | undefined

/** The version; a release sets it after the bundle is built, so it is read when it is needed. */
export const version = (): string =>
  (known ??= places.map(versionAt).find((version) => version !== undefined) ?? "unknown")
