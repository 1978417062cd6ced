/**
 * Returns the free pages of a database file to the system. Some stay, because new rows would allocate them again.
 */
import type { SqliteDriver } from "./SqliteDriver.ts"

type Driver = Pick<SqliteDriver, "execute" | "script">

/** The mode of a database whose free pages can be returned a few at a time. */
const incremental = 2

/** The number of pages that are returned together: about a millisecond on the event loop. */
const together = 64

/** The bytes up to which a file is rewritten when it is opened, to enable the mode. */
const smallBytes = 64 * 1024 * 1024

const pragma = (driver: Pick<SqliteDriver, "execute">, name: string): number => {
  const [row = []] = driver.execute({ text: `PRAGMA ${name}`, parameters: [] })
  return Number(row[0])
}

export interface Pages {
  readonly bytes: number
  readonly all: number
  readonly free: number
}

export const count = (driver: Pick<SqliteDriver, "execute">): Pages => ({
  bytes: pragma(driver, "page_size"),
  all: pragma(driver, "page_count"),
  free: pragma(driver, "freelist_count")
})

/** The free pages beyond 4 MB and an eighth of the others. */
const surplus = ({ all, bytes, free }: Pages): number => Math.floor(free - (4 * 1024 * 1024) / bytes - (all - free) / 8)

/** Returns some free pages; reports whether there are more to return. No transaction may be open. */
export const giveBack = (driver: Driver): boolean => {
  const before = count(driver)
  const most = surplus(before)
  if (most <= 0) return false
  driver.script(`PRAGMA incremental_vacuum(${Math.min(together, most)})`)
  return most > together && count(driver).all < before.all
}

/** Rewrites a small file that was created without the mode; `compact` does so for files of any size. */
export const enable = (driver: Driver): void => {
  const { all, bytes } = count(driver)
  if (pragma(driver, "auto_vacuum") !== incremental && all * bytes <= smallBytes) driver.script("VACUUM")
}
