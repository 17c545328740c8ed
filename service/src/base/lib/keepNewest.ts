/** Makes a function remember its newest results by their argument, and forget the one that was kept first. */
export const keepNewest = <Result>(
  most: number,
  make: (key: string) => Result,
): ((key: string) => Result) => {
  const kept = new Map<string, Result>()
  return (key) => {
    const before = kept.get(key)
    if (before !== undefined) return before
    // A map lists its entries in the order of their insertion.
    const [oldest] = kept.keys()
    if (kept.size >= most && oldest !== undefined) kept.delete(oldest)
    const result = make(key)
    kept.set(key, result)
    return result
  }
}
