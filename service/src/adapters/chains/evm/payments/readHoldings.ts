import { type Address, erc20Abi, getAddress, type PublicClient } from 'viem'
import type { Payer, PayerHoldings } from '#base/ports/chain.js'
import { isNodeFailure } from '../connection/rpc.js'

/** Memoizes reads by a key, so that payers of several orders are asked about once. */
const once = <Result>(read: (key: string) => Promise<Result>): ((key: string) => Promise<Result>) => {
  const asked = new Map<string, Promise<Result>>()
  return (key) => {
    const found = asked.get(key) ?? read(key)
    asked.set(key, found)
    return found
  }
}

/**
 * Reads what payers hold of the currencies that they pay in, and of the native one.
 *
 * @param batching - A client that sends the calls of a moment in one request.
 * @param tokenOf - Returns the address of a currency; `undefined` for the native one.
 * @returns The holdings of each payer, in their order; `undefined` where a token's contract does not tell.
 */
export const readHoldings = async (
  batching: PublicClient,
  tokenOf: (currency: string) => Address | undefined,
  payers: readonly Payer[],
): Promise<(PayerHoldings | undefined)[]> => {
  const readNative = once((payer) => batching.getBalance({ address: getAddress(payer) }))
  const readToken = async (payer: string, token: Address): Promise<bigint | undefined> => {
    const question = { abi: erc20Abi, functionName: 'balanceOf', args: [getAddress(payer)] } as const
    try {
      return await batching.readContract({ address: token, ...question })
    } catch (error) {
      if (isNodeFailure(error)) throw error
      return undefined
    }
  }
  return Promise.all(
    payers.map(async ({ payer, currency }) => {
      const token = tokenOf(currency)
      const [native, units] = await Promise.all([
        readNative(payer),
        token ? readToken(payer, token) : readNative(payer),
      ])
      return units === undefined ? undefined : { native, units }
    }),
  )
}
