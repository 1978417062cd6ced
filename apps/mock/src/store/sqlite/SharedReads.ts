/**
 * Shares one transaction between the queries of a turn of the event loop, because to begin one takes longer than a small
 * query. It ends with the turn, or before a statement of another kind.
 */
import type { Rows } from "../../sql/Change.ts"
import type { Statement } from "../../sql/Statement.ts"

/** The connection that the queries run on. */
interface Connection {
  readonly execute: (statement: Statement) => Rows
  readonly script: (sql: string) => void
  readonly inTransaction: () => boolean
}

export interface SharedReads {
  readonly read: (statement: Statement) => Rows
  /** Ends the transaction, if queries have begun one. */
  readonly end: () => void
  /** Reports whether the open transaction is that of queries. */
  readonly isOpen: () => boolean
}

export const make = ({ execute, inTransaction, script }: Connection): SharedReads => {
  let readsOfTurn = 0
  let isOpen = false

  /** Ends a transaction that has only read. In a damaged file even this may fail, and nothing is lost. */
  const close = () => {
    for (const text of ["COMMIT", "ROLLBACK"]) {
      try {
        return script(text)
      } catch {
        if (!inTransaction()) return
      }
    }
  }

  const end = () => {
    readsOfTurn = 0
    if (!isOpen) return
    isOpen = false
    // A storage failure may have ended it already.
    if (inTransaction()) close()
  }

  return {
    read: (statement) => {
      if (!isOpen && !inTransaction()) {
        readsOfTurn += 1
        // The only query of a turn needs no transaction of its own.
        if (readsOfTurn === 1) process.nextTick(end)
        else {
          script("BEGIN")
          isOpen = true
        }
      }
      return execute(statement)
    },
    end,
    isOpen: () => isOpen
  }
}
