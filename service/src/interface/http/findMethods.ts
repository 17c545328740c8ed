/** A served method and path, with its parameters as `:name`. */
export type ServedPath = { method: string; path: string }

/** The patterns of the paths that are served, each compiled once. */
const patterns = new Map<string, RegExp>()

const compile = (path: string): RegExp => {
  const parts = path.split('/').map((part) => {
    if (part === '*') return '.*'
    return part.startsWith(':') ? '[^/]+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  })
  const pattern = new RegExp(`^${parts.join('/')}/?$`)
  patterns.set(path, pattern)
  return pattern
}

/** Returns the methods that a path accepts, or none if there is no such path. */
export const findMethods = (served: readonly ServedPath[], path: string): string[] => {
  const methods = served
    // Middleware for all methods serves none of them.
    .filter(
      ({ method, path: other }) => method !== 'ALL' && (patterns.get(other) ?? compile(other)).test(path),
    )
    .map(({ method }) => method)
  return [...new Set(methods)].sort()
}
