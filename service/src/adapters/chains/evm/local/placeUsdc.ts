import { knownTokens } from 'kassa/chain'
import type { PublicClient } from 'viem'
import { TestUsdc } from '../artifacts/TestUsdc.js'

/**
 * Puts the test token's code at the address that USDC has on a chain, because other software pays in USDC at that address
 * alone.
 */
export const placeUsdc = async (client: PublicClient, chain: string): Promise<void> => {
  const address = knownTokens[chain]?.usdc?.address
  if (!address || (await client.getCode({ address }))) return
  // What a creation returns is the code of the contract.
  const { data: code } = await client.call({ data: TestUsdc.bytecode })
  if (!code) throw new Error(`${chain} does not tell the code of its test token`)
  await client.request<{ Method: string; Parameters: unknown[]; ReturnType: unknown }>({
    method: 'anvil_setCode',
    params: [address, code],
  })
}
