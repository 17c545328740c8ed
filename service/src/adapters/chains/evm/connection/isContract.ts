import type { Address, PublicClient } from 'viem'

/** The code of an account that delegates to a contract (EIP-7702). */
const delegation = /^0xef0100/i

/** Whether an address is a contract, as opposed to an account with a key, which may delegate to one (EIP-7702). */
export const isContract = async (client: PublicClient, address: Address): Promise<boolean> => {
  const code = await client.getCode({ address })
  return code !== undefined && !delegation.test(code)
}
