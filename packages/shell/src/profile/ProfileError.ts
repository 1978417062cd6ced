/**
 * Declares the errors of profiles.
 */
import * as ServiceAddress from "@mfgdata/client/ServiceAddress"
import * as Data from "effect/Data"

const sentences = (...parts: ReadonlyArray<string | undefined>): string =>
  parts.filter((part) => part !== undefined).join(" ")

/** No address or no key is set. */
export class ProfileMissing extends Data.TaggedError("ProfileMissing")<{
  /** The name of the missing profile, if one was named. */
  readonly name: string | undefined
  readonly known: ReadonlyArray<string>
}> {
  override get message(): string {
    const { known, name } = this
    const others = known.length === 0 ? undefined : `The saved profiles are ${known.join(", ")}.`
    const login = `mfg login --url ${ServiceAddress.defaultOrigin}${name === undefined ? "" : ` --profile ${name}`}`
    return sentences(
      name === undefined ? "No service is set up." : `No profile ${name}.`,
      others,
      `Run: ${login}, or set MFG_REST_URL, MFG_BASE_URL and MFG_API_KEY.`
    )
  }
}

/** The environment names another service than the profile whose key would be sent. */
export class KeyNotSent extends Data.TaggedError("KeyNotSent")<{
  readonly profile: string
  /** The origin that the environment names. */
  readonly origin: string
}> {
  override get message(): string {
    return sentences(
      `The key of the profile ${this.profile} is for another service, and is not sent to ${this.origin}.`,
      "Set MFG_API_KEY to a key of that service, or unset MFG_REST_URL and MFG_BASE_URL."
    )
  }
}

/** A file of profiles that cannot be used. */
export class ProfileUnusable extends Data.TaggedError("ProfileUnusable")<{
  readonly path: string
  readonly reason: string
  readonly remedy: string
}> {
  override get message(): string {
    return `The profiles in ${this.path} cannot be used: ${this.reason}. ${this.remedy}`
  }
}

/** The keys of a profile are in a keychain that cannot be read. */
export class KeysUnreadable extends Data.TaggedError("KeysUnreadable")<{
  readonly profile: string
  readonly reason: string
}> {
  override get message(): string {
    return sentences(
      `The keys of the profile ${this.profile} are in the keychain, which cannot be read: ${this.reason.replace(/\.$/, "")}.`,
      `Unlock it, set MFG_API_KEY, or run: mfg login --profile ${this.profile} --key-store file`
    )
  }
}
