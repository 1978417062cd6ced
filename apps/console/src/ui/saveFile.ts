/**
 * Saves files on the machine of the person. Texts are collected in blobs, which the browser keeps outside the memory of
 * the page.
 */

/** Saves a file under a name. */
export const saveFile = (name: string, file: Blob): void => {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  // The download has its own hold on the file once it has begun.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

const collected = 1 << 20

/** Collects texts in a blob, which holds them outside the memory of the page. */
export const collect = async (type: string, texts: AsyncIterable<string>): Promise<Blob> => {
  let file = new Blob([], { type })
  let pieces: Array<string> = []
  let size = 0
  for await (const text of texts) {
    pieces.push(text)
    size += text.length
    if (size < collected) continue
    file = new Blob([file, ...pieces], { type })
    pieces = []
    size = 0
  }
  return new Blob([file, ...pieces], { type })
}
