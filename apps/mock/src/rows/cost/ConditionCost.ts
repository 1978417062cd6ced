/**
 * Estimates the time that a condition or an order takes for one row, for the worst content of the row.
 */
import { type Condition, holdsObject, type Related } from "../../sql/read/Condition.ts"
import * as Containment from "../../sql/read/Containment.ts"
import type { OrderTerm } from "../../sql/read/Order.ts"
import type { Target } from "../../sql/read/Target.ts"
import * as Pattern from "../../sql/text/Pattern.ts"
import type * as Resource from "@mfgdata/domain/Resource"
import type { TableSize } from "../../store/Store.ts"

export type Sizes = (resource: Resource.Any) => TableSize

/** The bytes of a document where the store does not know them. The answer is then bounded while it is built. */
export const typicalBytes = 4096

/** Measured on SQLite, in microseconds: for a statement, a row, a condition, a byte. */
export const micros = {
  statement: 20,
  row: 1,
  skipped: 0.2,
  sorted: 2,
  condition: 0.1,
  field: 0.5,
  text: 1,
  parsedByte: 0.003,
  printedByte: 0.001,
  likeByte: 0.001,
  matchByte: 0.01,
  /** Grows with the square of the states that a pattern follows in parallel. */
  matchState: 0.0017,
  related: 3,
  grouped: 7
}

/** The product of two bounds, of which one may be zero and the other infinite. */
export const times = (one: number, other: number): number => (one === 0 || other === 0 ? 0 : one * other)

export const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((total, number) => total + number, 0)

export const isStored = ({ column, json }: Target): boolean =>
  json.length === 0 && column.type !== "object" && column.type !== "array"

/** Reading a value: a column, or a part of the document, which is parsed. */
export const valueMicros = (target: Target, bytes: number): number =>
  isStored(target) ? micros.condition : micros.text + micros.parsedByte * bytes

/** The cost of a condition for one row, whose document has some bytes. */
const conditionMicros = (condition: Condition, bytes: number, sizes: Sizes): number => {
  switch (condition._tag) {
    case "And":
    case "Or":
      return sum(condition.conditions.map((one) => conditionMicros(one, bytes, sizes)))
    case "Not":
      return conditionMicros(condition.condition, bytes, sizes)
    case "Exists":
      return existsMicros(condition.related, sizes)
    case "Unchanged":
      return micros.condition + micros.text
    case "Is":
      return valueMicros(condition.target, bytes)
    case "Compare": {
      const weight = holdsObject(condition.value) ? JSON.stringify(condition.value).length : 1
      return valueMicros(condition.target, bytes) * weight
    }
    case "OneOf": {
      const objects = condition.values.filter(holdsObject)
      const weight = 1 + sum(objects.map((value) => JSON.stringify(value).length))
      return micros.condition + valueMicros(condition.target, bytes) * weight
    }
    case "Like":
      return (
        micros.text + valueMicros(condition.target, bytes) + micros.likeByte * Pattern.runOf(condition.pattern) * bytes
      )
    case "Match": {
      const states = Pattern.widthOf(condition.pattern)
      return (
        micros.text +
        valueMicros(condition.target, bytes) +
        (micros.matchByte + micros.matchState * states ** 2) * bytes
      )
    }
    case "Contains":
    case "ContainedBy":
    case "Overlaps":
      return valueMicros(condition.target, bytes) * Containment.sizeOf(condition.value) * 10
  }
}

export const knownBytes = ({ bytes }: TableSize): number => (Number.isFinite(bytes) ? bytes : typicalBytes)

export const whereMicros = (where: ReadonlyArray<Condition>, size: TableSize, sizes: Sizes): number =>
  sum(where.map((condition) => conditionMicros(condition, knownBytes(size), sizes)))

/** Finding related rows takes an index; their own conditions, or an offset, may look at all of them. */
const existsMicros = ({ offset, owned, where }: Related, sizes: Sizes): number => {
  const size = sizes(owned.resource)
  const inner = whereMicros(where, size, sizes)
  return micros.related + (inner === 0 && offset === 0 ? 0 : times(size.rows, micros.row + inner))
}

/** Sorting one row. */
export const orderMicros = (order: ReadonlyArray<OrderTerm>, size: TableSize, sizes: Sizes): number =>
  micros.sorted +
  sum(
    order.map(({ target, through }) =>
      through === undefined
        ? valueMicros(target, knownBytes(size))
        : existsMicros(through, sizes) + valueMicros(target, knownBytes(sizes(through.owned.resource)))
    )
  )
