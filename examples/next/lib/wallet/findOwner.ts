import type { Credential } from 'kassa/schema'
import {
  BaseError,
  ContractFunctionRevertedError,
  ContractFunctionZeroDataError,
  createPublicClient,
  erc721Abi,
  http,
  isAddress,
} from 'viem'
import { isEvm, type Network } from '../networks'
import { findHolder } from '../solana/findHolder'

/**
 * Asks a token's chain for its owner; undefined when the shop does not know the chain or the chain names none.
 *
 * @throws An error of the node. To ask again may help.
 */
export const findOwner = async (
  networks: readonly Network[],
  { chain, contractAddress = '', tokenId, mintHash }: Credential['nft'],
): Promise<string | undefined> => {
  const network = networks.find(({ name }) => name === chain)
  if (!network) return undefined
  if (mintHash !== undefined) return findHolder(network.rpcUrl, mintHash)
  if (!isEvm(network) || tokenId === undefined || !isAddress(contractAddress, { strict: false }))
    return undefined
  const node = createPublicClient({ transport: http(network.rpcUrl, { retryCount: 1, timeout: 5_000 }) })
  try {
    return await node.readContract({
      abi: erc721Abi,
      address: contractAddress,
      functionName: 'ownerOf',
      args: [BigInt(tokenId)],
    })
  } catch (error) {
    if (namesNoOwner(error)) return undefined
    throw error
  }
}

/**
 * Whether the contract answered: it has no such token, its tokens have no single owner, or it is none. viem takes a
 * node's internal error (-32603) for such an answer too, because some nodes report with it that a contract refused.
 */
const namesNoOwner = (error: unknown): boolean =>
  error instanceof BaseError &&
  error.walk(
    (cause) =>
      cause instanceof ContractFunctionRevertedError || cause instanceof ContractFunctionZeroDataError,
  ) !== null
