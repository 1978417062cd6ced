/**
 * Sends a request of the row interface, and reads its response as the result or as the error that it means.
 */
import type * as Resource from "@mfgdata/domain/Resource"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { QueryTooCostly, ReadError } from "../ClientError.ts"
import * as Confirmation from "./Confirmation.ts"
import * as ResponseError from "./ResponseError.ts"
import * as RowReader from "./RowReader.ts"
import type * as Transport from "./Transport.ts"
import * as RequestId from "./call/RequestId.ts"
import * as VisibleTarget from "./call/VisibleTarget.ts"

/** Sends one request; its purpose decides which errors it can fail with, besides those of every request. */
export interface RowCall {
  <A, E extends object>(
    resource: Resource.Any,
    purpose: ResponseError.Purpose<E>,
    request: Omit<Transport.Request, "subject" | "visibleTarget">,
    read: (response: Transport.Response, toError: RowReader.ToError) => Either.Either<A, RowReader.Unreadable>
  ): Effect.Effect<A, ReadError | QueryTooCostly | E>
}

const isSuccess = ({ status }: Transport.Response): boolean => status >= 200 && status < 300

/** Calls over a transport. */
export const make =
  (transport: Transport.Transport): RowCall =>
  (resource, purpose, request, read) => {
    const { resource: subject } = resource
    const source = { subject, origin: transport.origin }
    const visibleTarget = () => VisibleTarget.make(resource, request.target)
    return Effect.flatMap(transport.send({ subject, ...request, visibleTarget }), (response) => {
      // A row that is absent at a retry was removed by an earlier attempt, whose response was lost.
      const isRemoved = purpose.isRemoval && response.retries > 0 && ResponseError.isRowAbsent(response)
      if (!isSuccess(response) && !isRemoved) {
        return Effect.mapError(ResponseError.make(source, response, purpose), (error) =>
          RequestId.identify(error, response)
        )
      }
      const toError: RowReader.ToError = (unreadable) =>
        RequestId.identify(
          ResponseError.malformed(
            source,
            response,
            unreadable,
            !purpose.isRead && Confirmation.isConfirmed(response, unreadable.isOfRequest)
          ),
          response
        )
      return Either.mapLeft(read(response, toError), toError)
    })
  }

/** Reads the one whole row of a response, where it has one; a row with another key is an error. */
export const readRow =
  (resource: Resource.Any, key?: string) =>
  ({ text }: Transport.Response, toError: RowReader.ToError): Either.Either<unknown, RowReader.Unreadable> =>
    RowReader.readOne(RowReader.whole(resource), text, {}, toError, key)

/** Reads the row that a response has to have. */
export const expectRow =
  (resource: Resource.Any, key?: string) =>
  (response: Transport.Response, toError: RowReader.ToError): Either.Either<unknown, RowReader.Unreadable> =>
    Either.filterOrLeft(
      readRow(resource, key)(response, toError),
      (row) => row !== undefined,
      () => ({ expected: "one row" })
    )
