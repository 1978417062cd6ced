/**
 * Declares the variables of the environment that `mfg` reads.
 */
import * as ServiceAddress from "@mfgdata/client/ServiceAddress"
import * as Process from "@mfgdata/shell/Variable"

const local = ServiceAddress.fromOrigin(ServiceAddress.defaultOrigin)

/** Each variable with its description. */
export const variables = {
  MFG_PROFILE: "Name of the profile, as --profile.",
  MFG_REST_URL: `Address of the row interface, such as ${local.restUrl}; takes precedence over the profile.`,
  MFG_BASE_URL: `Address of the operation interface, such as ${local.baseUrl}; takes precedence over the profile.`,
  MFG_API_KEY: "API key; takes precedence over that of the profile.",
  MFG_KEY_STORE: "Place of the keys that mfg login saves: keychain, file or auto.",
  MFG_ADMIN_KEY: "Administrator's key; takes precedence over that of the profile.",
  XDG_CONFIG_HOME: "Folder of the file mfg/profiles.json (default: ~/.config).",
  HTTPS_PROXY: "Proxy of https addresses, such as http://proxy.example.com:3128.",
  HTTP_PROXY: "Proxy of http addresses, except those of this machine.",
  ALL_PROXY: "Proxy of the addresses for which neither of the two is set.",
  NO_PROXY: "Hosts and domains without a proxy, separated by commas.",
  NODE_EXTRA_CA_CERTS: "File with further certificate authorities, as --ca.",
  VISUAL: "Editor of mfg <resource> edit, such as code --wait.",
  EDITOR: "Editor where VISUAL is not set (default: vi).",
  BROWSER: "Program that opens addresses (default: that of the desktop).",
  MFG_NO_UPDATE_NOTICE:
    "Any text turns off the notice of a newer version, as NO_UPDATE_NOTIFIER and CI do; it appears once a day at most.",
  XDG_CACHE_HOME: "Folder of the latest known version and of keys for completion, in mfg (default: ~/.cache).",
  NO_COLOR: "Any text turns off the colours on a terminal."
} as const

export type Variable = keyof typeof variables

/** The value of a variable; none for an empty one. */
export const read = (name: Variable): string | undefined => Process.read(name)
