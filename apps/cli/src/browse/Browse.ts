/**
 * Runs `mfg browse`: keys and responses become messages, which change the state, which is drawn.
 */
import type { Failure } from "@mfgdata/shell/Program"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import type { Connection } from "../service/Connection.ts"
import * as RowRead from "../service/RowRead.ts"
import * as Model from "./Model.ts"
import * as PageRequest from "./PageRequest.ts"
import * as Requests from "./Requests.ts"
import * as Screen from "./Screen.ts"
import * as Update from "./Update.ts"
import * as View from "./View.ts"

type Load = Extract<Model.Command, { readonly request: number }>

/** The response to a request, as a message. */
const response = (connection: Connection, command: Load): Effect.Effect<Model.Message> => {
  const { request } = command
  const loaded: Effect.Effect<Model.Message, Failure> =
    command._tag === "LoadPage"
      ? Effect.map(Effect.delay(PageRequest.load(connection, command.query), command.delay), (page): Model.Message => ({
          _tag: "PageLoaded",
          request,
          page
        }))
      : Effect.map(RowRead.one(connection, command.resource, command.key), (row): Model.Message => ({
          _tag: "RowLoaded",
          request,
          row
        }))
  return Effect.catchAll(loaded, (failure) => Effect.succeed<Model.Message>({ _tag: "Failed", request, failure }))
}

/** Shows a screen until it is left. */
export const run = (
  connection: Connection,
  first: Model.ListScreen | Model.ResourcesScreen
): Effect.Effect<void, Failure> =>
  Effect.scoped(
    Effect.gen(function* () {
      const messages = yield* Queue.unbounded<Model.Message>()
      const ended = yield* Deferred.make<void, Failure>()
      const screen = yield* Screen.make({
        onKey: (key) => void Queue.unsafeOffer(messages, { _tag: "Pressed", key }),
        onResize: (size) => void Queue.unsafeOffer(messages, { _tag: "Resized", size })
      })
      const scope = yield* Effect.scope
      /** The request that has no response yet: another one takes its place. */
      let loading: Fiber.RuntimeFiber<unknown> | undefined
      const perform = (command: Model.Command): Effect.Effect<void> =>
        Effect.gen(function* () {
          switch (command._tag) {
            case "LoadPage":
            case "LoadRow":
              if (loading !== undefined) yield* Fiber.interruptFork(loading)
              loading = yield* Effect.forkIn(
                Effect.flatMap(response(connection, command), (message) => Queue.offer(messages, message)),
                scope
              )
              return
            case "Suspend":
              return screen.suspend()
            case "Quit":
              return yield* Effect.asVoid(Deferred.succeed(ended, undefined))
            case "Fail":
              return yield* Effect.asVoid(Deferred.fail(ended, command.failure))
          }
        })
      const initial = Model.make(first, screen.size())
      let [model, commands] = first._tag === "List" ? Requests.page(initial, first) : [initial, []]
      const step = Effect.gen(function* () {
        for (const command of commands) yield* perform(command)
        screen.draw(View.view(model))
        const message = yield* Queue.take(messages)
        ;[model, commands] = Update.update(model, message)
      })
      yield* Effect.forkScoped(Effect.forever(step))
      return yield* Deferred.await(ended)
    })
  )
