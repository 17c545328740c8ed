import { type Address, encodeEventTopics, getAddress, type Hex, isAddressEqual, zeroAddress } from 'viem'
import type { MintInput, TokenMint } from '../../../ports/collections.js'
import { Collection721 } from '../artifacts/Collection721.js'
import { Collection1155 } from '../artifacts/Collection1155.js'
import { toReference } from '../connection/addresses.js'
import type { WriteTopics, WriteTrace } from './writeTrace.js'

const transferTopics = ({ recipient, tokenId }: TokenMint) =>
  encodeEventTopics({
    ...Collection721,
    eventName: 'Transfer',
    args: { from: zeroAddress, to: getAddress(recipient), tokenId },
  })

const isSame = (topics: WriteTopics, others: readonly Hex[]): boolean =>
  topics.length === others.length && topics.every((topic, at) => topic === others[at])

/**
 * Finds the mint of single tokens by their ids. Their recipients may have transferred or burned them since.
 */
const singlesTrace = (address: Address, tokens: readonly TokenMint[], first: TokenMint): WriteTrace => ({
  address,
  look: async (client) => {
    const args = [tokens.map(({ tokenId }) => tokenId)] as const
    const question = { address, ...Collection721, functionName: 'mintsOf', args } as const
    const [areMinted, holders] = await client.readContract(question)
    if (!areMinted.includes(true)) return { state: 'absent' }
    if (areMinted.includes(false)) return { state: 'partly' }
    const topics = transferTopics(first)
    if (tokens.every(({ recipient }, at) => getAddress(recipient) === holders[at]))
      return { state: 'done', topics }
    const minted = { from: zeroAddress, tokenId: first.tokenId }
    return {
      state: 'unclear',
      // To any recipient: a node that shows no mint of an existing token does not show all logs.
      topics: encodeEventTopics({ ...Collection721, eventName: 'Transfer', args: minted }),
      isDoneBy: (logs) =>
        tokens.every((token) =>
          logs.some(
            (log) => isAddressEqual(log.address, address) && isSame(transferTopics(token), log.topics),
          ),
        ),
    }
  },
})

/** Finds the mint of copies by the ids of their mints, because copies share their token's id. */
const copiesTrace = (address: Address, tokens: readonly TokenMint[], first: TokenMint): WriteTrace => ({
  address,
  look: async (client) => {
    const args = [tokens.map(({ mintKey }) => toReference(mintKey))] as const
    const question = { address, ...Collection1155, functionName: 'areMinted', args } as const
    const areMinted = await client.readContract(question)
    if (!areMinted.includes(true)) return { state: 'absent' }
    if (areMinted.includes(false)) return { state: 'partly' }
    const mint = { mintId: toReference(first.mintKey) }
    return {
      state: 'done',
      topics: encodeEventTopics({ ...Collection1155, eventName: 'Minted', args: mint }),
    }
  },
})

/** Returns the trace of minted tokens, or `undefined` if there are no tokens. */
export const mintTrace = (address: Address, { collection, tokens }: MintInput): WriteTrace | undefined => {
  const [first] = tokens
  if (!first) return undefined
  return (collection.standard === 'erc-1155' ? copiesTrace : singlesTrace)(address, tokens, first)
}
