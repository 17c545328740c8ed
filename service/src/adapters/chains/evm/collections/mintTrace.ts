import {
  type Address,
  decodeFunctionData,
  encodeEventTopics,
  getAddress,
  type Hex,
  isAddressEqual,
  zeroAddress,
} from 'viem'
import type { MintInput, TokenMint } from '#base/ports/collections.js'
import { Collection721 } from '../artifacts/Collection721.js'
import { Collection1155 } from '../artifacts/Collection1155.js'
import { toReference } from '../connection/addresses.js'
import type { ShownTransaction, WritePart, WriteTopics, WriteTrace } from './writeTrace.js'

/** A mint as the calldata of its transaction names it. */
type CalledMint = { to: Address; tokenId: bigint; mintId: Hex; template: Hex }

/** Reads the mints of a transaction's calldata. Any other call has none. */
export const readCalledMints = (input: Hex): readonly CalledMint[] => {
  try {
    const { functionName, args } = decodeFunctionData({ ...Collection721, data: input })
    return functionName === 'mint' ? args[0] : []
  } catch {
    return []
  }
}

const isSame = (topics: WriteTopics, others: readonly Hex[]): boolean =>
  topics.length === others.length && topics.every((topic, at) => topic === others[at])

/** Creates the check of whether a transaction minted a token, under its own id, to its recipient. */
const createMintCheck =
  (address: Address, { mintKey, tokenId, recipient }: TokenMint, topics: WriteTopics) =>
  ({ input, logs }: ShownTransaction): boolean => {
    const mintId = toReference(mintKey)
    const isCalled = readCalledMints(input).some(
      (one) =>
        one.mintId === mintId && one.tokenId === tokenId && isAddressEqual(one.to, getAddress(recipient)),
    )
    return isCalled && logs.some((log) => isAddressEqual(log.address, address) && isSame(topics, log.topics))
  }

/**
 * Finds the mint of single tokens by their ids. Their recipients may have transferred or burned them since. The
 * contract does not keep the ids of mints, so the calldata decides whether this mint took the token's id.
 */
const singlesTrace = (address: Address, tokens: readonly TokenMint[]): WriteTrace => ({
  address,
  look: async (client) => {
    const args = [tokens.map(({ tokenId }) => tokenId)] as const
    const question = { address, ...Collection721, functionName: 'mintsOf', args } as const
    const [areMinted] = await client.readContract(question)
    if (!areMinted.includes(true)) return { state: 'absent' }
    if (areMinted.includes(false)) return { state: 'partly' }
    const toPart = (token: TokenMint): WritePart => {
      const minted = { from: zeroAddress, tokenId: token.tokenId }
      const transfer = { ...Collection721, eventName: 'Transfer' } as const
      const topics = encodeEventTopics({ ...transfer, args: { ...minted, to: getAddress(token.recipient) } })
      return {
        // To any recipient: a node that shows no mint of an existing token does not show all logs.
        topics: encodeEventTopics({ ...transfer, args: minted }),
        isDoneBy: createMintCheck(address, token, topics),
      }
    }
    return { state: 'done', parts: tokens.map(toPart) }
  },
})

/** Finds the mint of copies by the ids of their mints, because copies share their token's id. */
const copiesTrace = (address: Address, tokens: readonly TokenMint[]): WriteTrace => ({
  address,
  look: async (client) => {
    const args = [tokens.map(({ mintKey }) => toReference(mintKey))] as const
    const question = { address, ...Collection1155, functionName: 'areMinted', args } as const
    const areMinted = await client.readContract(question)
    if (!areMinted.includes(true)) return { state: 'absent' }
    if (areMinted.includes(false)) return { state: 'partly' }
    const toPart = (token: TokenMint): WritePart => {
      const mint = { mintId: toReference(token.mintKey) }
      const minted = { ...Collection1155, eventName: 'Minted' } as const
      const { recipient, tokenId } = token
      const topics = encodeEventTopics({ ...minted, args: { ...mint, to: getAddress(recipient), tokenId } })
      return {
        topics: encodeEventTopics({ ...minted, args: mint }),
        isDoneBy: createMintCheck(address, token, topics),
      }
    }
    return { state: 'done', parts: tokens.map(toPart) }
  },
})

/** Returns the trace of minted tokens, or `undefined` if there are no tokens. */
export const mintTrace = (address: Address, { collection, tokens }: MintInput): WriteTrace | undefined => {
  if (!tokens.length) return undefined
  return (collection.standard === 'erc-1155' ? copiesTrace : singlesTrace)(address, tokens)
}
