/**
 * A call of rows: sent, and its answer read, or told as the error that it means for this call.
 */
import type * as Resource from "@mfgdata/domain/Resource"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Refusal from "./Refusal.ts"
import * as RowReader from "./RowReader.ts"
import type * as Transport from "./Transport.ts"

/** What answers become, whatever refuses them. */
export interface RowCall {
  <A>(
    resource: Resource.Any,
    purpose: Refusal.Purpose,
    call: Omit<Transport.Call, "subject">,
    read: (answer: Transport.Answer) => Either.Either<A, RowReader.Unreadable>
  ): Effect.Effect<A, Refusal.Refusal>
}

const isSuccess = ({ status }: Transport.Answer): boolean => status >= 200 && status < 300

/** Whether a row is gone because the same call removed it before, and only its answer was lost. */
const isRemoved = ({ _tag }: Refusal.Purpose, answer: Transport.Answer): boolean =>
  _tag === "Remove" && answer.repeated > 0 && Refusal.isRowAbsent(answer)

/** Calls over a transport. */
export const make =
  (transport: Transport.Transport): RowCall =>
  ({ resource: subject }, purpose, call, read) => {
    const asked = { subject, origin: transport.origin }
    return Effect.flatMap(transport.send({ subject, ...call }), (answer) => {
      if (!isSuccess(answer) && !isRemoved(purpose, answer)) return Refusal.make(asked, answer, purpose)
      return Either.mapLeft(read(answer), (unreadable) => RowReader.unreadable(asked, answer, unreadable))
    })
  }

/** The one row of an answer. */
export const readRow =
  (resource: Resource.Any, reader: RowReader.RowReader = RowReader.whole(resource)) =>
  ({ text }: Transport.Answer): Either.Either<unknown, RowReader.Unreadable> =>
    RowReader.readOne(reader, text)
