import type * as operations from './operations.js'
import type { Operation } from './operations.js'

/** The name of an operation, which is that of its function in `kassa/api`. */
export type OperationName = keyof typeof operations

/** An operation that a request asks for, with the ids in its path. They are still encoded. */
export type OperationMatch<Name> = { name: Name; params: Readonly<Record<string, string>> }

const isParameter = (segment: string): boolean => segment.startsWith('{')

/** Reads the ids in a path; undefined if it is another path. A prefix, where a handler is mounted, is skipped. */
const readParams = (template: string, pathname: string): Record<string, string> | undefined => {
  const wanted = template.split('/').slice(1)
  const given = pathname.replace(/\/$/, '').split('/').slice(-wanted.length)
  const isSame =
    given.length === wanted.length &&
    wanted.every((segment, index) => (isParameter(segment) ? given[index] !== '' : given[index] === segment))
  if (!isSame) return undefined
  const ids = wanted.flatMap((segment, index) =>
    isParameter(segment) ? [[segment.slice(1, -1), given[index] ?? '']] : [],
  )
  return Object.fromEntries(ids)
}

/**
 * Finds the operations that have the path of a request, one for each method.
 *
 * @param rows - The operations to choose from, by name.
 * @param pathname - The path of the request's URL, with any prefix.
 */
export const listOperationsAt = <Name extends string>(
  rows: Readonly<Record<Name, Operation>>,
  pathname: string,
): OperationMatch<Name>[] =>
  (Object.keys(rows) as Name[]).flatMap((name) => {
    const params = readParams(rows[name].path, pathname)
    return params ? [{ name, params }] : []
  })

/** Finds the operation that a request asks for; undefined if it asks for none of them. */
export const matchOperation = <Name extends string>(
  rows: Readonly<Record<Name, Operation>>,
  { method, url }: Pick<Request, 'method' | 'url'>,
): OperationMatch<Name> | undefined =>
  listOperationsAt(rows, new URL(url).pathname).find(({ name }) => rows[name].method === method)
