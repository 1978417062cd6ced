/**
 * Reads the files of the console, which the build has compressed. A file is read when it is first requested.
 */
import { readFile, stat } from "node:fs/promises"
import { existsSync } from "node:fs"
import * as PreparedDocument from "../../rows/response/PreparedDocument.ts"

/** The path of the console. */
export const mount = "/console"

/** The path of the files whose names contain their hash. */
export const assetMount = `${mount}/assets/`

/** Reports whether a path is the console's. */
export const isWithin = (path: string): boolean =>
  path.startsWith(mount) && (path.length === mount.length || path[mount.length] === "/")

/** The folder next to a bundle in `dist`, and its places relative to this module in `dist` and in `src`. */
const places = ["./console/", "../../console/", "../../../dist/console/"]

const folder = (): URL | undefined =>
  places.map((place) => new URL(place, import.meta.url)).find((url) => existsSync(new URL("index.html", url)))

const mediaTypes: { readonly [extension: string]: string } = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8"
}

/** The Content-Security-Policy of the page: files and requests of its own origin only. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join("; ")

const read = async (
  file: URL,
  headers: PreparedDocument.Content["headers"]
): Promise<PreparedDocument.Prepared | undefined> => {
  try {
    const [identity, br, gzip] = await Promise.all([
      readFile(file),
      readFile(new URL(`${file.href}.br`)),
      readFile(new URL(`${file.href}.gz`))
    ])
    return PreparedDocument.fromBodies(
      { identity, br, gzip },
      { headers: { ...headers, "X-Content-Type-Options": "nosniff" } }
    )
  } catch {
    return undefined
  }
}

let page: { readonly at: number; readonly prepared: PreparedDocument.Prepared | undefined } | undefined

/** The page; undefined if it is not built. It is read again after it was built again. */
export const readPage = async (): Promise<PreparedDocument.Prepared | undefined> => {
  const root = folder()
  if (root === undefined) return undefined
  const file = new URL("index.html", root)
  const { mtimeMs: at } = await stat(file)
  if (page?.at === at) return page.prepared
  const prepared = await read(file, {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": policy,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "no-referrer"
  })
  page = { at, prepared }
  return prepared
}

const assets = new Map<string, PreparedDocument.Prepared>()

/** The file with a name; undefined if there is none. */
export const readAsset = async (name: string): Promise<PreparedDocument.Prepared | undefined> => {
  const known = assets.get(name)
  if (known !== undefined) return known
  const [, extension = ""] = /^\w[\w-]*\.(\w+)$/.exec(name) ?? []
  const mediaType = mediaTypes[extension]
  const root = folder()
  if (mediaType === undefined || root === undefined) return undefined
  const prepared = await read(new URL(`assets/${name}`, root), {
    "Content-Type": mediaType,
    "Cache-Control": "public, max-age=31536000, immutable"
  })
  if (prepared !== undefined) assets.set(name, prepared)
  return prepared
}
