import { listOperationsAt, type OperationMatch } from '../../schema/matchOperation.js'
import type { Operation } from '../../schema/operations.js'
import { refuseMethod } from './httpError.js'
import type { ServiceCall } from './identify.js'

/**
 * Finds the operation that a call asks for; undefined if none has its path.
 *
 * @throws {@link HttpError} 405 if none has its method.
 */
export const findTestOperation = <Name extends string>(
  rows: Readonly<Record<Name, Operation>>,
  { method, path }: Pick<ServiceCall, 'method' | 'path'>,
): OperationMatch<Name> | undefined => {
  const there = listOperationsAt(rows, path)
  if (there.length === 0) return undefined
  const found = there.find(({ name }) => rows[name].method === method)
  if (found) return found
  throw refuseMethod(
    path,
    there.map(({ name }) => rows[name].method),
  )
}
