import type { ChainPort } from '../chains/port.js'
import type { Deps } from '../deps.js'
import { ServiceError } from '../errors.js'
import { notEnabled } from '../lib/notEnabled.js'
import type { Collection } from './findCollection.js'

/**
 * The chain of a collection that is about to change it.
 *
 * @throws {@link ServiceError} `input-invalid` where this deployment does not have it.
 */
export const requireChain = (deps: Pick<Deps, 'chains'>, { id, chain }: Collection): ChainPort => {
  const port = deps.chains.get(chain)
  if (port) return port
  throw new ServiceError('input-invalid', `collectionId: ${id} is on ${chain}; ${notEnabled(deps, chain)}`)
}
