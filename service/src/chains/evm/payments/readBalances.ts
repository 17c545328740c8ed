import { type Address, encodeDeployData, hexToBigInt, type PublicClient, size, slice } from 'viem'
import { Balances } from '../artifacts/Balances.js'

/**
 * Reads the coin balances of addresses in one request. Nodes limit the answer to the size of a contract: 768
 * addresses.
 */
export const readBalances = async (
  client: PublicClient,
  owners: readonly Address[],
  blockNumber: bigint,
): Promise<bigint[]> => {
  const { data = '0x' } = await client.call({
    data: encodeDeployData({ ...Balances, args: [owners] }),
    blockNumber,
  })
  if (size(data) !== owners.length * 32) throw new Error('the node did not tell the balance of each address')
  return owners.map((_, at) => hexToBigInt(slice(data, at * 32, at * 32 + 32)))
}
