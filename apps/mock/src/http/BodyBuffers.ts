/**
 * Lends memory for large bodies, which is used again: the garbage collector leaves that of many large buffers for a long
 * time. Memory that is not given back is garbage.
 */
import { Buffer } from "node:buffer"

export interface BodyBuffers {
  /** Memory with any content. The returned function gives it back: nothing may use it any more. */
  readonly lend: (size: number) => readonly [memory: Buffer, giveBack: () => void]
}

/** The size below which memory is not kept. */
const smallest = 512 * 1024

const nothing = () => undefined

/** Buffers of at most a size, of which a number is kept. */
export const make = ({ most, size }: { readonly most: number; readonly size: number }): BodyBuffers => {
  const free: Array<Buffer> = []
  return {
    lend: (wanted) => {
      if (wanted < smallest) return [Buffer.allocUnsafeSlow(wanted), nothing]
      const memory = free.pop() ?? Buffer.allocUnsafeSlow(size)
      let isLent = true
      const giveBack = () => {
        if (isLent && free.length < most) free.push(memory)
        isLent = false
      }
      return [memory.subarray(0, wanted), giveBack]
    }
  }
}
