import type { Revert } from 'kassa/schema'
import { ServiceError } from '#base/errors.js'

/**
 * Reports calls that revert before anything is signed.
 *
 * @throws {@link ServiceError} `reverted`.
 * @source interface.md "Errors"
 */
export const refuseReverted = ({ message, revert }: { message: string; revert: Revert }): never => {
  const detail = { reason: 'execution_reverted', message, revert }
  throw new ServiceError('reverted', `The transaction reverted during execution: ${revert.reason}`, {
    detail,
  })
}
