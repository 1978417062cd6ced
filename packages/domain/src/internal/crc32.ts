/** CRC-32 as in zip and PNG (reflected, polynomial 0xEDB88320). */

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte
  for (let bit = 0; bit < 8; bit++) {
    remainder = remainder & 1 ? (remainder >>> 1) ^ 0xedb88320 : remainder >>> 1
  }
  return remainder
})

/** The checksum of an ASCII text as an unsigned number. */
export const crc32 = (ascii: string): number => {
  let remainder = 0xffffffff
  for (let index = 0; index < ascii.length; index++) {
    // The table has an element for every byte.
    remainder = (remainder >>> 8) ^ table[(remainder ^ ascii.charCodeAt(index)) & 0xff]!
  }
  return (remainder ^ 0xffffffff) >>> 0
}
