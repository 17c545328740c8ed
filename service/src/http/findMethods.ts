/** A method that is served on a path, with its parameters as `:name`. */
export type ServedPath = { method: string; path: string }

const toPattern = (path: string): RegExp => {
  const parts = path.split('/').map((part) => {
    if (part === '*') return '.*'
    return part.startsWith(':') ? '[^/]+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  })
  return new RegExp(`^${parts.join('/')}/?$`)
}

/** The methods that a path takes; none if there is no such path. */
export const findMethods = (served: readonly ServedPath[], path: string): string[] => {
  const methods = served
    // What stands before every method serves none itself.
    .filter(({ method, path: other }) => method !== 'ALL' && toPattern(other).test(path))
    .map(({ method }) => method)
  return [...new Set(methods)].sort()
}
