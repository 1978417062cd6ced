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
  /** What the text speaks of and the statement says first: those that others speak of stand before them. */
  readonly commonTables: ReadonlyArray<CommonTable>
}

/** A table that exists within one statement, by a name that means the same table everywhere in it. */
interface CommonTable {
  readonly name: string
  readonly body: Fragment
  readonly isInline: boolean
}

const nothing: ReadonlyArray<CommonTable> = []

/** A finished statement. Its text is its shape: equal texts share one prepared statement. */
export interface Statement {
  readonly text: string
  readonly parameters: ReadonlyArray<Parameter>
  /** Whether one row comes back at most, which is quicker to have than rows are. */
  readonly isSingle?: boolean
}

const isFragment = (part: Fragment | Parameter): part is Fragment => typeof part === "object" && part !== null

/** Pieces of text and what stands between them: there is one text more. Loops, for every statement is made here. */
const assemble = (texts: ReadonlyArray<string>, parts: ReadonlyArray<Fragment | Parameter>): Fragment => {
  const chunks: Array<string> = []
  const parameters: Array<Parameter> = []
  let commonTables = nothing
  let open = texts[0] ?? ""
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index] ?? null
    const after = texts[index + 1] ?? ""
    if (isFragment(part)) {
      const { length } = part.parameters
      if (part.commonTables.length > 0)
        commonTables = commonTables.length > 0 ? [...commonTables, ...part.commonTables] : part.commonTables
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
  return { chunks, parameters, commonTables }
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
export const text = (text: string): Fragment => ({ chunks: [text], parameters: [], commonTables: nothing })

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

/**
 * A table of the statement's own, by its name: its body is said once and first, however often and deep the name
 * stands, so that nesting costs no depth. One that is `inline` is worked into each place where it stands.
 */
export const commonTable = (name: string, body: Fragment, kind: "inline" | "default" = "default"): Fragment => ({
  ...identifier(name),
  commonTables: [...body.commonTables, { name, body, isInline: kind === "inline" }]
})

/** How a dialect writes statements. */
interface Notation {
  readonly placeholder: (position: number) => string
  /** How many tables may be worked into one that is inline itself; any number when it is left out. */
  readonly inlines?: number
}

const countInline = ({ commonTables }: Fragment): number =>
  new Set(commonTables.filter(({ isInline }) => isInline).map(({ name }) => name)).size

const declare = ({ body, isInline, name }: CommonTable, { inlines = Infinity }: Notation): Fragment => {
  const kind = isInline && countInline(body) <= inlines ? "NOT MATERIALIZED " : ""
  return sql`${identifier(name)} AS ${text(kind)}(${body})`
}

/** A fragment with what it hoists before it, each once. */
const withCommonTables = (fragment: Fragment, notation: Notation): Fragment => {
  const tables = new Map(fragment.commonTables.map((table) => [table.name, table]))
  const declared = Array.from(tables.values(), (table) => declare(table, notation))
  return sql`WITH ${join(declared, ", ")} ${fragment}`
}

/** The statement that a fragment is in a dialect. */
export const render = (fragment: Fragment, notation: Notation): Statement => {
  const { chunks, parameters } = fragment.commonTables.length === 0 ? fragment : withCommonTables(fragment, notation)
  let text = chunks[0] ?? ""
  for (let position = 1; position < chunks.length; position++) text += notation.placeholder(position) + chunks[position]
  return { text, parameters }
}

/** The same for a fragment that gives one row at most. */
export const renderSingle: typeof render = (fragment, dialect) => ({ ...render(fragment, dialect), isSingle: true })
