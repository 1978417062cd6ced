/**
 * The variables of the C library with which operators start the service, as docs/limits.md names them. The memory of a
 * process can be compared only with them: without them glibc keeps freed memory, more with each burst of requests.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as Program from "./Program.ts"

export const variables: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from(
    readFileSync(join(Program.root, "docs/limits.md"), "utf8").matchAll(/`(MALLOC_\w+)=(\d+)`/g),
    ([, name = "", value = ""]) => [name, value] as const
  )
)
