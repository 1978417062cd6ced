/**
 * Remembers the results of a function by the object that they were computed from.
 */

/**
 * The function, which computes the result of each object once and keeps it as long as the object.
 *
 * @example
 * const namesOf = Memo.make((resource: Resource.Any) => Object.keys(resource.columns))
 */
export const make = <Key extends object, A>(compute: (key: Key) => A): ((key: Key) => A) => {
  const results = new WeakMap<Key, { readonly value: A }>()
  return (key) => {
    const known = results.get(key)
    if (known !== undefined) return known.value
    const value = compute(key)
    results.set(key, { value })
    return value
  }
}
