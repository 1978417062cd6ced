/**
 * The addresses of a service of this project: its default origin, and the paths of its two interfaces.
 */

/** The port that a service listens on by default. */
export const defaultPort = 4010

/** The origin of a service on this machine that listens on the default port. */
export const defaultOrigin = `http://127.0.0.1:${defaultPort}`

/** The addresses of the row interface and the operation interface. */
export interface ServiceAddress {
  readonly restUrl: string
  readonly baseUrl: string
}

/**
 * The addresses below an origin.
 *
 * @example
 * ServiceAddress.fromOrigin("https://erp.example") // { restUrl: "https://erp.example/rest", baseUrl: "https://erp.example/api/v1" }
 */
export const fromOrigin = (origin: string): ServiceAddress => ({
  restUrl: `${origin}/rest`,
  baseUrl: `${origin}/api/v1`
})
