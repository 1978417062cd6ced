/**
 * The rows that refer to a row, and those that it refers to, each one click away.
 */
import type { JsonObject } from "@mfgdata/domain/Json"
import * as Address from "../../router/Address.ts"
import * as Catalogue from "../../service/Catalogue.ts"
import { ErrorMessage } from "../../ui/ErrorMessage.tsx"
import { useLoad } from "../../ui/useLoad.ts"
import * as Edits from "../data/edits/Edits.ts"
import * as CellText from "../data/value/CellText.ts"
import * as Choices from "../data/value/Choices.ts"

const shown = 5

interface Related {
  readonly relation: Catalogue.RelationInfo
  readonly target: Catalogue.ResourceInfo
  /** The query of the related rows. */
  readonly query: string
  readonly rows: ReadonlyArray<JsonObject>
}

const load = async (
  resource: Catalogue.ResourceInfo,
  row: JsonObject,
  signal: AbortSignal
): Promise<ReadonlyArray<Related>> => {
  const wanted = resource.relations.flatMap((relation) => {
    const target = Catalogue.find(relation.target)
    const value = row[relation.column]
    return target === undefined || typeof value !== "string" || value === ""
      ? []
      : [{ relation, target, query: `${relation.field}=eq.${encodeURIComponent(value)}` }]
  })
  return Promise.all(
    wanted.map(async ({ query, relation, target }) => {
      const columns = [...new Set([target.key, ...Choices.titleColumns(target)])]
      const page = `${query}&select=${columns.join()}&limit=${shown + 1}`
      return { relation, target, query, rows: await Edits.rows.list(target.name, page, { signal }) }
    })
  )
}

export const Relations = ({
  resource,
  row
}: {
  readonly resource: Catalogue.ResourceInfo
  readonly row: JsonObject
}) => {
  const { error, value = [] } = useLoad((signal) => load(resource, row, signal), [resource, row])
  const present = value.filter(({ relation, rows }) => rows.length > 0 || relation.cardinality === "one")
  return (
    <section class="card relations" aria-label="Related rows">
      <h2>Related rows</h2>
      <ErrorMessage error={error} />
      {present.length === 0 && error === undefined ? <p class="hint">None.</p> : null}
      {present.map(({ query, relation, rows, target }) => (
        <div key={`${target.name}.${relation.field}.${relation.column}`}>
          <h3>
            <a href={Address.href(`/${target.name}?${query}`)}>{target.name}</a>{" "}
            <small>{relation.cardinality === "many" ? `by ${relation.field}` : `of ${relation.column}`}</small>
          </h3>
          <ul>
            {rows.slice(0, shown).map((related) => {
              const key = CellText.plain(related[target.key])
              return (
                <li key={key}>
                  <a href={Address.href(`/${target.name}/${encodeURIComponent(key)}`)}>
                    <bdi>{CellText.cell(key, 60)}</bdi>
                  </a>{" "}
                  <small>
                    <bdi>{CellText.cell(Choices.titleOf(target, related), 60)}</bdi>
                  </small>
                </li>
              )
            })}
          </ul>
          {rows.length > shown ? <a href={Address.href(`/${target.name}?${query}`)}>More</a> : null}
        </div>
      ))}
    </section>
  )
}
