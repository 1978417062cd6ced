/**
 * The manual pages of `mfg`, which the build writes to files.
 */
import * as ManualPages from "@mfgdata/shell/help/ManualPages"
import { front } from "./Mfg.ts"

export const pages = (): Promise<ReadonlyMap<string, string>> => ManualPages.make(front)
