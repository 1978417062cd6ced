/**
 * Composes SQL from fragments of text and parameters. Values never enter the text.
 */

/** A parameter that every driver accepts. The dialect converts booleans, dates and JSON into one of these types. */
export type Parameter = string | number | null

/** A value that every driver returns. */
export type Value = string | number | null

/** Text that is split at its parameters: there is always one chunk more than there are parameters. */
export interface Fragment {
  readonly chunks: ReadonlyArray<string>
  readonly parameters: ReadonlyArray<Parameter>
  /** The common table expressions that the text names, each after those that it depends on. */
  readonly commonTables: ReadonlyArray<CommonTable>
}

/** A common table expression. Its name means the same table everywhere in a statement. */
interface CommonTable {
  readonly name: string
  readonly body: Fragment
  readonly isInline: boolean
}

const nothing: ReadonlyArray<CommonTable> = []

/** A complete statement. Statements of equal text share one prepared statement. */
export interface Statement {
  readonly text: string
  readonly parameters: ReadonlyArray<Parameter>
  /** Set when the statement returns one row at most, which a driver can read faster. */
  readonly isSingle?: boolean
}

const isFragment = (part: Fragment | Parameter): part is Fragment => typeof part === "object" && part !== null

/** Joins texts with the parts between them. It uses plain loops, because every statement is composed here. */
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
 * Builds a fragment from a template: fragments are inserted as text, and every other value becomes a parameter.
 *
 * @example
 * Statement.sql`SELECT 1 FROM ${Statement.identifier("holiday")} WHERE "year" = ${2026}`
 */
export const sql = (texts: TemplateStringsArray, ...parts: ReadonlyArray<Fragment | Parameter>): Fragment =>
  assemble(texts, parts)

/** Literal SQL. It must never contain a value of a request. */
export const text = (text: string): Fragment => ({ chunks: [text], parameters: [], commonTables: nothing })

export const empty: Fragment = text("")

const quoted = (name: string): string => (name.includes('"') ? `"${name.replaceAll('"', '""')}"` : `"${name}"`)

/** A quoted identifier. */
export const identifier = (name: string): Fragment => text(quoted(name))

/** A member of what an identifier names. It is added to the text, because most fragments are columns. */
export const member = (row: Fragment, name: string): Fragment => {
  const [only] = row.chunks
  return row.chunks.length === 1 ? { ...row, chunks: [`${only}.${quoted(name)}`] } : sql`${row}.${identifier(name)}`
}

/** A quoted literal, for statements that cannot have parameters. */
export const literal = (value: string): Fragment => text(`'${value.replaceAll("'", "''")}'`)

/** Joins fragments with a separator. */
export const join = (fragments: ReadonlyArray<Fragment>, separator: string): Fragment => {
  const [only] = fragments
  // Most lists have one condition or one owner.
  if (only !== undefined && fragments.length === 1) return only
  const texts = [""]
  for (let index = 1; index < fragments.length; index++) texts.push(separator)
  return assemble([...texts, ""], fragments)
}

const widest = 50

/**
 * Joins fragments with an associative operator, with brackets around two or more. A long chain is a deep expression to
 * a database, and SQLite accepts a depth of 1,000 at most, so the chain is split into groups.
 */
export const chain = (fragments: ReadonlyArray<Fragment>, operator: string, width = widest): Fragment => {
  const [only] = fragments
  if (only !== undefined && fragments.length === 1) return only
  const groups: Array<Fragment> = []
  if (fragments.length <= width) return sql`(${join(fragments, operator)})`
  for (let start = 0; start < fragments.length; start += width) {
    groups.push(chain(fragments.slice(start, start + width), operator, width))
  }
  return chain(groups, operator, width)
}

/**
 * Names a common table expression. Its body is written once, in front of the statement, so that nesting adds no depth.
 * The database may merge one of the kind `inline` into each query that reads it.
 */
export const commonTable = (name: string, body: Fragment, kind: "inline" | "default" = "default"): Fragment => ({
  ...identifier(name),
  commonTables: [...body.commonTables, { name, body, isInline: kind === "inline" }]
})

/** The notation of a dialect. */
interface Notation {
  readonly placeholder: (position: number) => string
  /** The maximum number of inline tables in the body of an inline table (default: unlimited). */
  readonly inlines?: number
}

const countInline = ({ commonTables }: Fragment): number =>
  new Set(commonTables.filter(({ isInline }) => isInline).map(({ name }) => name)).size

const declare = ({ body, isInline, name }: CommonTable, { inlines = Infinity }: Notation): Fragment => {
  const kind = isInline && countInline(body) <= inlines ? "NOT MATERIALIZED " : ""
  return sql`${identifier(name)} AS ${text(kind)}(${body})`
}

/** Writes the common table expressions of a fragment in front of it, each of them once. */
const withCommonTables = (fragment: Fragment, notation: Notation): Fragment => {
  const tables = new Map(fragment.commonTables.map((table) => [table.name, table]))
  const declared = Array.from(tables.values(), (table) => declare(table, notation))
  return sql`WITH ${join(declared, ", ")} ${fragment}`
}

/** Renders a fragment as a statement. */
export const render = (fragment: Fragment, notation: Notation): Statement => {
  const { chunks, parameters } = fragment.commonTables.length === 0 ? fragment : withCommonTables(fragment, notation)
  let text = chunks[0] ?? ""
  for (let position = 1; position < chunks.length; position++) text += notation.placeholder(position) + chunks[position]
  return { text, parameters }
}

/** Renders a fragment that returns one row at most. */
export const renderSingle: typeof render = (fragment, dialect) => ({ ...render(fragment, dialect), isSingle: true })
