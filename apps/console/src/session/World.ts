/**
 * The world that the page shows: a part of its address, `?world=<name>`, absent for the main one.
 */
import { computed, type ReadonlySignal } from "@preact/signals"
import * as Address from "../router/Address.ts"

/** The name of the world. */
export const current: ReadonlySignal<string> = computed(() => Address.world.value)

/** Shows another world at the same place. */
export const select = (name: string): void => Address.selectWorld(name)
