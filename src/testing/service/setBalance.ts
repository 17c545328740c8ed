import { getAddress } from 'viem'
import { toBaseUnits } from '../../schema/baseUnits.js'
import { evmChains } from '../../schema/chains.js'
import { listCurrencies } from '../network.js'
import type { TestWorld } from './testWorld.js'

/** Sets what an account has of a currency, on every chain that knows it. @units `amount` in whole units */
export const setBalance = (
  { chains, enabled }: TestWorld,
  account: string,
  currency: string,
  amount: string,
): void => {
  const known = enabled.flatMap((chain) =>
    listCurrencies(chain)
      .filter((one) => one.currency === currency.toLowerCase())
      .map(({ address, decimals }) => ({ address, decimals, chainId: evmChains[chain].chainId })),
  )
  if (!known.length) throw new Error(`No chain of the test service knows the currency ${currency}`)
  for (const { address, decimals, chainId } of known) {
    const units = toBaseUnits(amount, decimals)
    if (units === undefined) throw new Error(`${amount} is no amount of ${currency}`)
    chains.bank.set(chainId, getAddress(account), address, units)
  }
}
