import { type Address, type Client, erc20Abi } from 'viem'
import { getBalance, readContract } from 'viem/actions'

/**
 * Reads how much an account holds of a token, or of the chain's native currency.
 *
 * @param token - The token's contract; without it the native currency is read.
 * @returns The balance in base units.
 * @throws viem's errors if the node does not answer.
 */
export const readBalance = (client: Client, account: Address, token?: Address): Promise<bigint> =>
  token === undefined
    ? getBalance(client, { address: account })
    : readContract(client, { abi: erc20Abi, address: token, functionName: 'balanceOf', args: [account] })
