import fc from 'fast-check'

type Path = (string | number)[]

const listPaths = (value: unknown, path: Path = []): Path[] => {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([key, inner]) => listPaths(inner, [...path, key]))]
}

const replaceAt = (value: unknown, [key, ...rest]: Path, change: (known: unknown) => unknown): unknown => {
  if (key === undefined) return change(value)
  if (Array.isArray(value)) {
    return value.map((inner, at) => (at === Number(key) ? replaceAt(inner, rest, change) : inner))
  }
  const known = value as Record<string, unknown>
  return { ...known, [key]: replaceAt(known[key], rest, change) }
}

const deep = (levels: number): unknown => (levels ? { inner: deep(levels - 1) } : 1)

/**
 * Values that no caller should send, at any position: wrong types, nothing, too much, and what a database or
 * a URL cannot handle.
 */
const oddities: readonly unknown[] = [
  null,
  '',
  ' ',
  'x'.repeat(70_000),
  'a\0b',
  '\ud800',
  '../../etc/passwd',
  "'; drop table nfts; --",
  '<script>alert(1)</script>',
  'http://127.0.0.1:1/secret',
  'file:///etc/passwd',
  '💥'.repeat(50),
  0,
  -1,
  1.5,
  1e308,
  Number.MAX_SAFE_INTEGER + 2,
  true,
  false,
  [],
  {},
  [[[[]]]],
  { __proto__: null, constructor: 1 },
  JSON.parse('{"__proto__":{"isAdmin":true}}'),
  deep(40),
]

/** Breaks a value at one position: an odd value replaces the original, or it is removed. */
export const breakValue = (value: unknown): fc.Arbitrary<unknown> =>
  fc
    .tuple(fc.constantFrom(...listPaths(value)), fc.constantFrom(undefined, ...oddities))
    .map(([path, odd]) => replaceAt(value, path, () => odd))
