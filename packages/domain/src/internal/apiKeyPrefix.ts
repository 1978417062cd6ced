/** The prefix of every API key. It is apart from their form, which a client does not need. */
export const prefix = "mfg_"
