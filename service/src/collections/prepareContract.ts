import type { ChainPort, WriteResult } from '../chains/port.js'
import type { Deps } from '../deps.js'
import { ensureContractUri } from './ensureContractUri.js'
import type { Collection } from './findCollection.js'
import { putContract } from './putContract.js'
import type { WriteTurn } from './writeInTurn.js'
import { writeTerms } from './writeTerms.js'

/**
 * Makes a collection's contract ready to mint: puts it on its chain where it is not there yet, and brings it up to
 * date where the chain has not taken the last change, such as a higher supply limit.
 *
 * @returns What became of the contract. A change that is refused is no obstacle: the chain decides on the mint.
 */
export const prepareContract = async (
  deps: Pick<Deps, 'db' | 'storage' | 'log'>,
  chain: ChainPort,
  known: Collection,
  turn: WriteTurn,
): Promise<WriteResult> => {
  const collection = await ensureContractUri(deps, known)
  const contract = await putContract(deps, chain, collection, turn)
  const { id: collectionId, revision, chainRevision } = collection
  if (contract.status === 'failed' || revision <= chainRevision) return contract
  const updated = await writeTerms(deps, chain, collection, turn)
  if (updated.status === 'failed') {
    const { reason } = updated
    deps.log.error({ collectionId, revision, reason }, 'the chain refused a change before a mint')
  }
  return contract
}
