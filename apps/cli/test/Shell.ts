/**
 * A command line of `mfg`, run in this process: what it writes and how it ends.
 */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import * as NodeTerminal from "@effect/platform-node/NodeTerminal"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Start from "../src/Start.ts"

export interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

const listen = (stream: NodeJS.WriteStream) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const write = stream.write.bind(stream)
      const said: Array<string> = []
      // What is written is text, and nobody waits for it.
      stream.write = (text: string | Uint8Array) => said.push(String(text)) > 0
      return { said, write }
    }),
    ({ write }) => Effect.sync(() => void (stream.write = write))
  )

/** Runs a command line. */
export const mfg = (...args: ReadonlyArray<string>): Effect.Effect<Ended> =>
  Effect.scoped(
    Effect.gen(function* () {
      const out = yield* listen(process.stdout)
      const err = yield* listen(process.stderr)
      const code = yield* Start.run("1.2.3", args)
      return { code, stdout: out.said.join(""), stderr: err.said.join("") }
    })
  ).pipe(Effect.provide(Layer.mergeAll(NodeFileSystem.layer, NodePath.layer, NodeTerminal.layer)))
