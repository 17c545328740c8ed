import type { TokenStandard } from 'kassa/schema'
import {
  type Address,
  BaseError,
  encodeFunctionData,
  getAddress,
  type PublicClient,
  parseAbi,
  zeroAddress,
} from 'viem'
import { isContract } from '../connection/isContract.js'
import { classifyNodeError } from '../connection/rpc.js'

const receiverAbi = parseAbi([
  'function onERC721Received(address operator, address from, uint256 tokenId, bytes data) returns (bytes4)',
  'function onERC1155Received(address operator, address from, uint256 id, uint256 value, bytes data) returns (bytes4)',
])

/** Far more than an answer needs, and so little that a contract that runs on is stopped at once. */
const answerGas = 2_000_000n

/** A token that is to be minted: its collection, who mints it and to whom. */
export type TokenToReceive = {
  contract: Address
  standard: TokenStandard
  minter: Address
  recipient: string
  tokenId?: bigint
}

/**
 * Explains why an address cannot hold a token: it is a contract that does not accept the token when it is asked as by the
 * token's contract. The contracts mint without asking, so that one recipient cannot stop the others of its transaction.
 * Any other address accepts everything: it is an account with a key, which may delegate to a contract, or a wallet that is
 * not deployed yet.
 *
 * @returns `undefined` if it can.
 */
export const explainRecipient = async (
  client: PublicClient,
  { contract, standard, minter, recipient, tokenId = 1n }: TokenToReceive,
): Promise<string | undefined> => {
  const to = getAddress(recipient)
  if (!(await isContract(client, to))) return undefined
  const isMany = standard === 'erc-1155'
  const from = zeroAddress
  const data = isMany
    ? encodeFunctionData({
        abi: receiverAbi,
        functionName: 'onERC1155Received',
        args: [minter, from, tokenId, 1n, '0x'],
      })
    : encodeFunctionData({
        abi: receiverAbi,
        functionName: 'onERC721Received',
        args: [minter, from, tokenId, '0x'],
      })
  const answer = await client.call({ account: contract, to, data, gas: answerGas }).catch((error) => {
    if (!(error instanceof BaseError) || classifyNodeError(error) !== undefined) throw error
    return undefined
  })
  // Whoever accepts returns the selector of the question, as a word.
  if (answer?.data?.slice(0, 66) === data.slice(0, 10).padEnd(66, '0')) return undefined
  return `the contract ${to} does not accept this token (${isMany ? 'onERC1155Received' : 'onERC721Received'}): it would be lost there`
}
