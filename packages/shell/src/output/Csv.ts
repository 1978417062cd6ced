/**
 * Writes comma-separated values as spreadsheets read them (RFC 4180), and reads them piece by piece.
 */
import type { Json } from "@mfgdata/domain/Json"

const text = (value: Json): string => (value === null ? "" : typeof value === "string" ? value : JSON.stringify(value))

// Quotes separate text from structure, and an empty text from null.
const field = (value: Json): string => {
  const bare = text(value)
  return value === "" || /[",\r\n]/.test(bare) ? `"${bare.replaceAll(`"`, `""`)}"` : bare
}

/** The line of some values. */
export const line = (values: ReadonlyArray<Json>): string => `${values.map(field).join(",")}\r\n`

/** A field; an empty one without quotes is null. */
export type Field = string | null

/** A record of a file, and the line on which it starts. */
export interface Record {
  readonly line: number
  readonly fields: ReadonlyArray<Field>
}

/** A misplaced quote. */
export interface Flaw {
  readonly line: number
}

/** Reads a text in pieces; a field may span several of them. */
export interface Reader {
  /** The records that a piece completes. */
  readonly push: (piece: string) => ReadonlyArray<Record> | Flaw
  /** The record that the end of the text completes, if any. */
  readonly end: () => ReadonlyArray<Record> | Flaw
}

type State = "start" | "bare" | "quoted" | "quote"

/** A reader at the start of a text. */
export const reader = (): Reader => {
  let state: State = "start"
  let value = ""
  let fields: Array<Field> = []
  let number = 1
  let began = 1
  let afterReturn = false
  let isFirst = true

  const flaw = (): Flaw => ({ line: number })

  const read = (piece: string): ReadonlyArray<Record> | Flaw => {
    const records: Array<Record> = []
    const endField = () => {
      fields.push(state === "start" ? null : value)
      value = ""
      state = "start"
    }
    const endLine = () => {
      if (fields.length > 0 || state !== "start") {
        endField()
        records.push({ line: began, fields })
      }
      fields = []
      state = "start"
      began = number + 1
    }
    for (let index = 0; index < piece.length; index++) {
      const character = piece.charAt(index)
      const wasReturn = afterReturn
      afterReturn = false
      if (state === "quoted") {
        if (character === '"') state = "quote"
        else {
          if (character === "\n") number++
          // Takes a quoted text up to the next quote or line break.
          const stop = piece.slice(index).search(/["\n]/)
          const end = stop <= 0 ? (stop === 0 ? index + 1 : piece.length) : index + stop
          value += piece.slice(index, end)
          index = end - 1
        }
        continue
      }
      switch (character) {
        case '"':
          if (state === "quote") {
            value += '"'
            state = "quoted"
          } else if (state === "start") state = "quoted"
          else return flaw()
          break
        case ",":
          endField()
          // A comma at the end of a line starts one more field.
          break
        case "\n":
          if (wasReturn) began = number + 1
          else endLine()
          number++
          began = number
          break
        case "\r":
          endLine()
          afterReturn = true
          break
        default:
          if (state === "quote") return flaw()
          state = "bare"
          value += character
      }
    }
    return records
  }

  return {
    push: (piece) => {
      const text = isFirst ? piece.replace(/^\uFEFF/, "") : piece
      if (piece !== "") isFirst = false
      return read(text)
    },
    end: () => (state === "quoted" ? flaw() : read("\n"))
  }
}
