/**
 * Parses the text of server-sent events.
 */
export interface ServerEvent {
  readonly id: string
  /** `message` where the service names none. */
  readonly type: string
  readonly data: string
}

/** Splits the text of a stream into events. */
export const parser = (onEvent: (event: ServerEvent) => void): ((text: string) => void) => {
  let rest = ""
  let id = ""
  let type = ""
  let data: ReadonlyArray<string> = []
  const line = (text: string): void => {
    if (text === "") {
      if (data.length > 0) onEvent({ id, type: type === "" ? "message" : type, data: data.join("\n") })
      type = ""
      data = []
      return
    }
    const [, field, value = ""] = /^(\w+)(?:: ?(.*))?$/s.exec(text) ?? []
    if (field === "id") id = value
    if (field === "event") type = value
    if (field === "data") data = [...data, value]
  }
  return (text) => {
    const lines = (rest + text).split(/\r\n|\n|\r/)
    rest = lines.pop() ?? ""
    for (const each of lines) line(each)
  }
}
