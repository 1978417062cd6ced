/**
 * SQL as text with parameters beside it, and the fragments it is composed of. Values never enter the text.
 */

/** What every driver takes. Booleans, dates and JSON are brought into one of these by the dialect. */
export type Parameter = string | number | null

/** What every driver returns. */
export type Value = string | number | null

/** Text cut open where parameters stand: there is always one chunk more than there are parameters. */
export interface Fragment {
  readonly chunks: ReadonlyArray<string>
  readonly parameters: ReadonlyArray<Parameter>
}

/** A finished statement. Its text is its shape: equal texts share one prepared statement. */
export interface Statement {
  readonly text: string
  readonly parameters: ReadonlyArray<Parameter>
}

const isFragment = (part: Fragment | Parameter): part is Fragment => typeof part === "object" && part !== null

/** Pieces of text and what stands between them: there is one text more. Loops, for every statement is made here. */
const assemble = (texts: ReadonlyArray<string>, parts: ReadonlyArray<Fragment | Parameter>): Fragment => {
  const chunks: Array<string> = []
  const parameters: Array<Parameter> = []
  let open = texts[0] ?? ""
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index] ?? null
    const after = texts[index + 1] ?? ""
    if (isFragment(part)) {
      const { length } = part.parameters
      for (let position = 0; position < length; position++) {
        chunks.push(open + part.chunks[position])
        parameters.push(part.parameters[position] ?? null)
        open = ""
      }
      open += part.chunks[length] + after
    } else {
      chunks.push(open)
      parameters.push(part)
      open = after
    }
  }
  chunks.push(open)
  return { chunks, parameters }
}

/**
 * SQL with fragments spliced in and every other value as a parameter.
 *
 * @example
 * Statement.sql`SELECT 1 FROM ${Statement.identifier("holiday")} WHERE "year" = ${2026}`
 */
export const sql = (texts: TemplateStringsArray, ...parts: ReadonlyArray<Fragment | Parameter>): Fragment =>
  assemble(texts, parts)

/** Text that our own code wrote. */
export const text = (text: string): Fragment => ({ chunks: [text], parameters: [] })

export const empty: Fragment = text("")

/** A name of the catalogue, quoted. */
export const identifier = (name: string): Fragment => text(`"${name.replaceAll('"', '""')}"`)

/** Fragments with a separator between them. */
export const join = (fragments: ReadonlyArray<Fragment>, separator: string): Fragment =>
  assemble(["", ...Array.from({ length: Math.max(fragments.length - 1, 0) }, () => separator), ""], fragments)

const width = 50

/**
 * Fragments under one associative operator, in brackets where they are many. A long chain is a deep expression to a
 * store, and SQLite follows 1 000 levels at most, so it is cut into groups.
 */
export const chain = (fragments: ReadonlyArray<Fragment>, operator: string): Fragment => {
  const [only] = fragments
  if (only !== undefined && fragments.length === 1) return only
  const groups: Array<Fragment> = []
  if (fragments.length <= width) return sql`(${join(fragments, operator)})`
  for (let start = 0; start < fragments.length; start += width) {
    groups.push(chain(fragments.slice(start, start + width), operator))
  }
  return chain(groups, operator)
}

/** The statement that a fragment is in a dialect. */
export const render = (
  { chunks, parameters }: Fragment,
  dialect: { readonly placeholder: (position: number) => string }
): Statement => {
  let text = chunks[0] ?? ""
  for (let position = 1; position < chunks.length; position++) text += dialect.placeholder(position) + chunks[position]
  return { text, parameters }
}
