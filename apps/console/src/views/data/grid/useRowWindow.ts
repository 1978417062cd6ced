/**
 * Keeps the window of the rows of a query while a grid shows them.
 */
import { useEffect, useMemo, useState } from "preact/hooks"
import * as Connection from "../../../service/Connection.ts"
import type { ResourceInfo } from "../../../service/Catalogue.ts"
import * as World from "../../../session/World.ts"
import * as Edits from "../edits/Edits.ts"
import * as GridQuery from "../query/GridQuery.ts"
import * as PageQuery from "../query/PageQuery.ts"
import * as RowWindow from "./RowWindow.ts"

/** The window of a query, and a number that changes with it. */
export const useRowWindow = (resource: ResourceInfo, text: string) => {
  const [version, setVersion] = useState(0)
  const world = World.current.value
  const window = useMemo(() => {
    const query = GridQuery.finished(resource, GridQuery.read(resource, text))
    return RowWindow.make({
      fetch: (range, signal) => Edits.rows.list(resource.name, PageQuery.toText(resource, query, range), { signal }),
      limit: query.limit,
      onChange: () => setVersion((version) => version + 1)
    })
  }, [resource, text, world])
  useEffect(() => () => window.close(), [window])
  const changes = `${Edits.sent.value} ${Connection.epoch.value}`
  const [first] = useState({ changes })
  useEffect(() => {
    if (first.changes === changes) return
    first.changes = changes
    window.refresh()
  }, [changes])
  return { window, version }
}
