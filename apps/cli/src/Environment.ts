/**
 * Declares the variables of the environment that `mfg` reads.
 */

/** Each variable with its description. */
export const variables = {
  MFG_PROFILE: "Name of the profile, as --profile.",
  MFG_REST_URL: "Address of the row interface, such as http://127.0.0.1:4010/rest; takes precedence over the profile.",
  MFG_BASE_URL:
    "Address of the operation interface, such as http://127.0.0.1:4010/api/v1; takes precedence over the profile.",
  MFG_API_KEY: "API key; takes precedence over that of the profile.",
  MFG_ADMIN_KEY: "Administrator's key; takes precedence over that of the profile.",
  XDG_CONFIG_HOME: "Folder of the file mfg/profiles.json (default: ~/.config).",
  VISUAL: "Editor of mfg <resource> edit, such as code --wait.",
  EDITOR: "Editor where VISUAL is not set (default: vi).",
  NO_COLOR: "Any text turns off the colours on a terminal."
} as const

export type Variable = keyof typeof variables

/** The value of a variable; none for an empty one. */
export const read = (name: Variable): string | undefined => {
  const value = process.env[name]
  return value === undefined || value === "" ? undefined : value
}
