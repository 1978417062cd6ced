/**
 * Reads the addresses of the service and the API key from the environment, or any other `ConfigProvider`.
 */
import * as Config from "effect/Config"
import * as ConfigError from "effect/ConfigError"
import * as Either from "effect/Either"
import * as Redacted from "effect/Redacted"

/** The addresses of the service, without a slash at their end, and the API key. */
export interface ClientConfig {
  readonly restUrl: string
  readonly baseUrl: string
  readonly apiKey: Redacted.Redacted
}

export const expectedAddress = "an http or https address without credentials, query or fragment"

/** The address without a slash at its end; `undefined` where it cannot be that of a service. */
export const plain = (url: URL): string | undefined =>
  /^https?:$/.test(url.protocol) && url.username + url.password + url.search + url.hash === ""
    ? url.href.replace(/\/+$/, "")
    : undefined

export const expectedKey = "visible ASCII characters without spaces"

/** Reports whether a header can hold the key: other services than this one have keys of other forms. */
export const isKey = (text: string): boolean => /^[\x21-\x7e]+$/.test(text)

const address = (name: string): Config.Config<string> =>
  Config.url(name).pipe(
    Config.mapOrFail((url) =>
      Either.fromNullable(plain(url), () => ConfigError.InvalidData([name], `Expected ${expectedAddress}`))
    )
  )

/** The address of the row interface, which the paths of resources continue: `MFG_REST_URL`. */
export const restUrl: Config.Config<string> = address("MFG_REST_URL")

/** The address of the operation interface, which ends in `/api/v1`: `MFG_BASE_URL`. */
export const baseUrl: Config.Config<string> = /* @__PURE__ */ address("MFG_BASE_URL")

/** The API key of every request: `MFG_API_KEY`. */
export const apiKey: Config.Config<Redacted.Redacted> = Config.redacted("MFG_API_KEY").pipe(
  Config.mapOrFail((key) =>
    isKey(Redacted.value(key))
      ? Either.right(key)
      : Either.left(ConfigError.InvalidData(["MFG_API_KEY"], `Expected ${expectedKey}`))
  )
)

/**
 * The whole configuration.
 *
 * @example
 * import { ClientConfig } from "@mfgdata/client"
 *
 * const { restUrl, apiKey } = yield* ClientConfig.config
 */
export const config: Config.Config<ClientConfig> = /* @__PURE__ */ Config.all({
  restUrl,
  baseUrl,
  apiKey
})

/** The configuration of `Rows`. */
export const rows: Config.Config<Pick<ClientConfig, "restUrl" | "apiKey">> = Config.all({ restUrl, apiKey })

/** The configuration of `Accounts`. */
export const accounts: Config.Config<Pick<ClientConfig, "baseUrl" | "apiKey">> = /* @__PURE__ */ Config.all({
  baseUrl,
  apiKey
})
