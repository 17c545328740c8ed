import { type Address, encodeEventTopics } from 'viem'
import { Collection721 } from '../artifacts/Collection721.js'
import { onlyPart, type WriteTrace } from './writeTrace.js'

/**
 * Returns the trace of a collection's update. Once the chain has a newer revision, this update counts as
 * done, because nothing of it is left to do.
 */
export const collectionUpdateTrace = (address: Address, wanted: bigint): WriteTrace => ({
  address,
  look: async (client) => {
    const revision = await client.readContract({ address, ...Collection721, functionName: 'revision' })
    if (revision < wanted) return { state: 'absent' }
    const args = { revision }
    return {
      state: 'done',
      parts: onlyPart(encodeEventTopics({ ...Collection721, eventName: 'CollectionUpdated', args })),
    }
  },
})

/** Returns the trace of a token's update, found in the same way. */
export const tokenUpdateTrace = (address: Address, tokenId: bigint, wanted: bigint): WriteTrace => ({
  address,
  look: async (client) => {
    const question = { address, ...Collection721, functionName: 'tokenRevision', args: [tokenId] } as const
    const revision = await client.readContract(question)
    if (revision < wanted) return { state: 'absent' }
    const args = { tokenId, revision }
    return {
      state: 'done',
      parts: onlyPart(encodeEventTopics({ ...Collection721, eventName: 'TokenUpdated', args })),
    }
  },
})
