/** A method that is served on a path, with its parameters as `:name`. */
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

/** The methods that a path takes; none if there is no such path. */
export const findMethods = (served: readonly ServedPath[], path: string): string[] => {
  const methods = served
    // What stands before every method serves none itself.
    .filter(
      ({ method, path: other }) => method !== 'ALL' && (patterns.get(other) ?? compile(other)).test(path),
    )
    .map(({ method }) => method)
  return [...new Set(methods)].sort()
}
