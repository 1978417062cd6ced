/**
 * Finds the view of a path.
 */
import type { View } from "../views/View.ts"

/** A view with the parameters of its path. */
export interface Route {
  readonly view: View
  readonly params: { readonly [name: string]: string }
}

const decode = (segment: string): string => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** The parameters of a path that matches a pattern. */
export const match = (pattern: string, path: string): Route["params"] | undefined => {
  const isOpen = pattern.endsWith("/*")
  const names = (isOpen ? pattern.slice(0, -2) : pattern).split("/").filter((part) => part !== "")
  const segments = path.split("/").filter((part) => part !== "")
  if (isOpen ? segments.length < names.length : segments.length !== names.length) return undefined
  const params: { [name: string]: string } = {}
  for (const [index, name] of names.entries()) {
    const segment = segments[index] ?? ""
    if (name.startsWith(":")) params[name.slice(1)] = decode(segment)
    else if (name !== segment) return undefined
  }
  if (isOpen) params["rest"] = segments.slice(names.length).map(decode).join("/")
  return params
}

/** The first view whose path matches. */
export const find = (views: ReadonlyArray<View>, path: string): Route | undefined => {
  for (const view of views) {
    for (const pattern of [view.path, ...(view.paths ?? [])]) {
      const params = match(pattern, path)
      if (params !== undefined) return { view, params }
    }
  }
  return undefined
}
