const read = (value: unknown, ...names: readonly string[]): unknown =>
  names.reduce(
    (at, name) => (typeof at === 'object' && at !== null ? Reflect.get(at, name) : undefined),
    value,
  )

/**
 * Whether this program runs on a buyer's device, where its code and keys are readable: in a browser or in
 * React Native.
 *
 * A document alone does not prove a browser, because a server's tests in Node may have one. Node, Deno and
 * Bun identify themselves in `process.versions`; edge runtimes and workers have no document.
 */
export const isBuyersDevice = (): boolean => {
  if (read(globalThis, 'navigator', 'product') === 'ReactNative') return true
  return 'document' in globalThis && typeof read(globalThis, 'process', 'versions', 'node') !== 'string'
}
