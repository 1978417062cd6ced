/**
 * The value of an attribute as text, and back.
 */
import type * as Attribute from "@mfgdata/domain/Attribute"
import { valueTypes } from "../../service/operations.derived.ts"

/** The type of an attribute. */
export const typeOf = ({ attributeDataType }: Attribute.UserAttribute): Attribute.ValueType =>
  valueTypes[attributeDataType.id - 1] ?? "text"

/** A value as text; empty where there is none. */
export const fromValue = (value: Attribute.AttributeValue | undefined): string => {
  if (value === undefined) return ""
  const { id: _, ...columns } = value
  const set = Object.values(columns).find((each) => each !== null)
  return set === undefined ? "" : String(set)
}

/** The value of a text; a text that is not a number stays one, and the service refuses it with a reason. */
export const toValue = (type: Attribute.ValueType, text: string): boolean | number | string => {
  if (type === "boolean") return text === "true"
  const number = Number(text)
  return type === "numeric" && text.trim() !== "" && !Number.isNaN(number) ? number : text
}
