/**
 * Whether two flat objects have the same fields with the same values.
 *
 * @param except - Fields that may differ.
 */
export const isSame = <Value extends object>(a: Value, b: Value, except: readonly string[] = []): boolean => {
  for (const key in b) if (!(key in a)) return false
  for (const key in a) {
    if (!(key in b && Object.is(a[key], b[key])) && !except.includes(key)) return false
  }
  return true
}
