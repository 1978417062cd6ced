/**
 * Encrypts secrets for the store with AES-256-GCM. A ciphertext names its key, and is valid in one place only: the place
 * is authenticated with it.
 */
import * as crypto from "node:crypto"

/** The place of a secret: its table, its company, and more where it is known. */
export type Place = ReadonlyArray<string>

export interface Vault {
  /** Identifies the key without revealing it. */
  readonly id: string
  readonly seal: (place: Place, secret: string) => string
  /** The secret of a ciphertext. Throws if it was changed, or belongs to another place or key. */
  readonly open: (place: Place, sealed: string) => string
}

const nonceLength = 12
const tagLength = 16

/** A ciphertext anywhere in a text. No character of it is escaped in JSON or quoted in CSV. */
export const pattern = /mfgsecret:[0-9a-f]{16}:[\w-]{38,}/g

/** The name of the key's id in the metadata of a store. */
export const metaName = "secretKey"

/** The beginning of every ciphertext. */
export const prefix = "mfgsecret:"

/** 32 bytes in hex or base64, or the key that is derived from a passphrase. */
const keyOf = (text: string): Buffer =>
  /^[0-9a-f]{64}$/i.test(text)
    ? Buffer.from(text, "hex")
    : /^[A-Za-z0-9+/]{43}=$/.test(text)
      ? Buffer.from(text, "base64")
      : crypto.scryptSync(text, "mfgdata secrets at rest", 32, { N: 2 ** 15, r: 8, p: 1, maxmem: 2 ** 26 })

/** The vault of a key as the setting has it. */
export const make = (text: string): Vault => {
  const key = keyOf(text)
  const id = crypto.createHmac("sha256", key).update("mfgdata key id").digest("hex").slice(0, 16)
  const head = `${prefix}${id}:`
  const bytesOf = (place: Place) => Buffer.from(JSON.stringify([id, ...place]))
  return {
    id,
    seal: (place, secret) => {
      const nonce = crypto.randomBytes(nonceLength)
      const cipher = crypto.createCipheriv("aes-256-gcm", key, nonce, { authTagLength: tagLength })
      cipher.setAAD(bytesOf(place))
      const body = [nonce, cipher.update(secret, "utf8"), cipher.final(), cipher.getAuthTag()]
      return head + Buffer.concat(body).toString("base64url")
    },
    open: (place, sealed) => {
      if (!sealed.startsWith(head)) throw new Error(`a secret of ${place[0]} was not encrypted with the key ${id}`)
      const bytes = Buffer.from(sealed.slice(head.length), "base64url")
      const decipher = crypto.createDecipheriv("aes-256-gcm", key, bytes.subarray(0, nonceLength), {
        authTagLength: tagLength
      })
      decipher.setAAD(bytesOf(place))
      decipher.setAuthTag(bytes.subarray(-tagLength))
      return decipher.update(bytes.subarray(nonceLength, -tagLength), undefined, "utf8") + decipher.final("utf8")
    }
  }
}

/** The place of the secret of an OAuth client: one change may set it for many rows, so it names no row. */
export const ofClients = (companyId: string): Place => ["oauthClient", "clientSecret", companyId]

/** The place of the secrets of a webhook. */
export const ofWebhook = (companyId: string, webhookId: string): Place => ["_webhookSecret", companyId, webhookId]
