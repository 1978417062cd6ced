/**
 * Follows the changes of the world: the last ones at first, then each as it happens, gathered for a moment so that many
 * of them cost one rendering. Older ones are read page by page.
 */
import { useEffect, useState } from "preact/hooks"
import * as Admin from "../../service/Admin.ts"
import * as Live from "../../service/Live.ts"
import * as World from "../../session/World.ts"
import * as WorldState from "../../session/WorldState.ts"
import * as Changes from "./Changes.ts"
import * as HistoryFilter from "./HistoryFilter.ts"

const gatherMillis = 150
const pageSize = 100

interface State {
  readonly changes: ReadonlyArray<HistoryFilter.Change>
  readonly error: unknown
  readonly isLoaded: boolean
  /** Set while the service has older changes that match, and the page has room for them. */
  readonly hasOlder: boolean
}

export interface ChangeList extends State {
  readonly loadOlder: () => Promise<void>
}

const nothing: State = { changes: [], error: undefined, isLoaded: false, hasOlder: false }

const withPage = (state: State, page: ReadonlyArray<HistoryFilter.Change>): State => {
  const changes = Changes.add(state.changes, page)
  const hasOlder = page.length === pageSize && changes.length < Changes.most.changes
  return { ...state, changes, hasOlder, isLoaded: true }
}

export const useChanges = (search: string): ChangeList => {
  const [state, setState] = useState(nothing)
  const fields = HistoryFilter.fieldsOf(new URLSearchParams(search))

  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    let gathered: Array<HistoryFilter.Change> = []
    let timer: ReturnType<typeof setTimeout> | undefined
    const show = () => {
      timer = undefined
      const added = gathered
      gathered = []
      setState((state) => ({ ...state, changes: Changes.add(state.changes, added) }))
    }
    const fail = (error: unknown) => {
      if (!signal.aborted) setState((state) => ({ ...state, error, isLoaded: true }))
    }
    setState(nothing)
    const load = async () => {
      const page = await Admin.perform("listHistory", { ...fields, limit: pageSize }, { signal })
      setState((state) => withPage(state, page))
      // The stream continues after the page, so that nothing between them is missing.
      const after = page[0]?.sequence ?? 0
      await Live.follow(Admin.callOf("listHistory", { ...fields, after }, { isSilent: true }), {
        signal,
        // The service encodes its events with the schema of this type.
        onEvent: ({ data }) => {
          gathered.push(JSON.parse(data) as HistoryFilter.Change)
          timer ??= setTimeout(show, gatherMillis)
        }
      })
    }
    load().catch(fail)
    return () => {
      controller.abort()
      clearTimeout(timer)
    }
  }, [search, World.current.value, WorldState.version.value])

  return {
    ...state,
    loadOlder: async () => {
      const after = state.changes.at(-1)?.sequence
      if (after === undefined) return
      try {
        const page = await Admin.perform("listHistory", { ...fields, limit: pageSize, after })
        setState((state) => withPage(state, page))
      } catch (error) {
        setState((state) => ({ ...state, error }))
      }
    }
  }
}
