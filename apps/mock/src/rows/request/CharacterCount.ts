/**
 * Counts the characters of bytes in UTF-8 without decoding them: the units of UTF-16, as the length of a text has them.
 */

/** The characters that a byte adds: bytes that continue a character add none, and the longest characters are pairs. */
export const ofByte = (byte: number): number => (byte >> 6 === 0b10 ? 0 : byte < 0xf0 ? 1 : 2)

/** Reports whether there are more characters than a limit between two positions. */
export const exceeds = (bytes: Uint8Array, start: number, end: number, most: number): boolean => {
  if (end - start <= most) return false
  let count = 0
  for (let position = start; position < end && count <= most; position++) count += ofByte(bytes[position] ?? 0)
  return count > most
}
