import { type Address, encodeEventTopics, getAddress, type Hex, type PublicClient, zeroAddress } from 'viem'
import type { MintInput } from '../port.js'
import { Collection721 } from './artifacts/Collection721.js'
import { CollectionFactory } from './artifacts/CollectionFactory.js'
import { DepositFactory } from './artifacts/DepositFactory.js'
import { PaymentRouter } from './artifacts/PaymentRouter.js'
import { readRevert } from './readRevert.js'

/**
 * What a write leaves on chain for good, whoever sent it: the log that tells its transaction, and what the contracts
 * remember of it. `unclear` means that the log alone can tell whether it was this write or another one.
 */
export type WriteTrace = {
  address: Address
  topics: (Hex | Hex[] | null)[]
  getState(client: PublicClient): Promise<'absent' | 'done' | 'unclear'>
}

/** The trace of a payout, which both contracts pay once per id. */
export const payOutTrace = (address: Address, isToken: boolean, orderRef: Hex, payoutId: Hex): WriteTrace => {
  const { abi } = isToken ? DepositFactory : PaymentRouter
  const args = { orderRef, payoutId }
  return {
    address,
    topics: encodeEventTopics({ abi, eventName: 'PaidOut', args }),
    getState: async (client) => {
      const question = { address, ...PaymentRouter, functionName: 'paidOut', args: [payoutId] } as const
      return (await client.readContract(question)) ? 'done' : 'absent'
    },
  }
}

/** The trace of minted tokens. They come all or none: the first one tells of the others. */
export const mintTrace = ({ contractAddress, tokens }: MintInput): WriteTrace | undefined => {
  const [token] = tokens
  if (!token) return undefined
  const { tokenId } = token
  const address = getAddress(contractAddress)
  const to = getAddress(token.recipient)
  return {
    address,
    topics: encodeEventTopics({
      ...Collection721,
      eventName: 'Transfer',
      args: { from: zeroAddress, to, tokenId },
    }),
    getState: async (client) => {
      const question = { address, ...Collection721, functionName: 'ownerOf', args: [tokenId] } as const
      const owner = await client.readContract(question).catch((error) => {
        if (readRevert(error) === undefined) throw error
        return undefined
      })
      if (owner === undefined) return 'absent'
      // Whoever was handed a token may have given it away since.
      return owner === to ? 'done' : 'unclear'
    },
  }
}

/** The trace of a collection, which stands where its salt puts it. */
export const collectionTrace = (address: Address, collection: Address, salt: Hex): WriteTrace => {
  return {
    address,
    topics: encodeEventTopics({ ...CollectionFactory, eventName: 'CollectionCreated', args: { salt } }),
    getState: async (client) => ((await client.getCode({ address: collection })) ? 'done' : 'absent'),
  }
}
