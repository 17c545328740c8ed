import { ServiceError } from '#base/errors.js'
import type { NftRow } from './findNft.js'

const reasons = {
  pending: 'is not minted yet',
  failed: 'was not minted',
  burned: 'is burned',
} as const

/**
 * Refuses to change a token that is not minted, is burned, or is about to be burned.
 *
 * @throws {@link ServiceError} `conflict`
 */
export const assertMinted = ({ id, status, burnActionId }: NftRow): void => {
  if (status !== 'success') throw new ServiceError('conflict', `The token ${id} ${reasons[status]}`)
  if (burnActionId === null) return
  throw new ServiceError('conflict', `The token ${id} is about to be burned by the action ${burnActionId}`)
}
