const read = (value: unknown, ...names: readonly string[]): unknown =>
  names.reduce(
    (at, name) => (typeof at === 'object' && at !== null ? Reflect.get(at, name) : undefined),
    value,
  )

/**
 * Whether this program runs where a buyer can look into it: in a browser, or in React Native.
 *
 * A document alone tells no browser: tests of a server have one too, in Node. Node, Deno and Bun name themselves in
 * `process.versions`; edge runtimes and workers at the edge have no document.
 */
export const isBuyersDevice = (): boolean => {
  if (read(globalThis, 'navigator', 'product') === 'ReactNative') return true
  return 'document' in globalThis && typeof read(globalThis, 'process', 'versions', 'node') !== 'string'
}
