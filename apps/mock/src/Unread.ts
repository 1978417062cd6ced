/**
 * The memory that the responses of companies take until their clients have read them. The transport counts it, and the
 * service and its store ask for it before they make further responses.
 */
export interface Unread {
  /** Reports whether a company can send further requests. */
  readonly admitsRequest: (companyId: string) => boolean
  /** Reports whether a further large query of a company can start. */
  readonly admitsQuery: (companyId: string) => boolean
  /** Calls a function once, after a response was read. */
  readonly onRead: (call: () => void) => void
}
