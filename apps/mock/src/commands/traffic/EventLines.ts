/**
 * Reads server-sent events from the parts of a response.
 */

/** The data of each event. Comments, which keep the connection open, are left out. */
export async function* dataOf(parts: AsyncIterable<Uint8Array>): AsyncIterable<string> {
  const decoder = new TextDecoder()
  let text = ""
  for await (const part of parts) {
    text += decoder.decode(part, { stream: true })
    for (let end = text.indexOf("\n\n"); end !== -1; end = text.indexOf("\n\n")) {
      const lines = text.slice(0, end).split("\n")
      text = text.slice(end + 2)
      const data = lines.filter((line) => line.startsWith("data: ")).map((line) => line.slice("data: ".length))
      if (data.length > 0) yield data.join("\n")
    }
  }
}
