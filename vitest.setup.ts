/**
 * Gives `it` its own methods back before each file. `layer` and `it.layer` of @effect/vitest 0.x write theirs into the
 * one `it` of the process, and the tests of every later file would run in that layer: with its services and its clock.
 */
import { it, makeMethods } from "@effect/vitest"

makeMethods(it)
