/**
 * Keeps a variable of libpq from the driver, which would close connections to servers in other states than it names: the
 * state is that of the address, because a store and its replicas need servers in different ones.
 */
const variable = "PGTARGETSESSIONATTRS"

/** Runs a function without the variable. */
export const without = <A>(run: () => A): A => {
  const { [variable]: given } = process.env
  if (given === undefined) return run()
  delete process.env[variable]
  try {
    return run()
  } finally {
    process.env[variable] = given
  }
}
