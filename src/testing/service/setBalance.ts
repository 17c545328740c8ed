import { toBaseUnits } from '../../schema/baseUnits.js'
import { chainFamilyOf } from '../../schema/chains.js'
import { listAccounts } from './listAccounts.js'
import type { TestWorld } from './testWorld.js'

/**
 * Sets what an account has of a currency, on every chain of its family that knows it. @units `amount` in whole
 * units
 */
export const setBalance = (
  world: TestWorld,
  account: string,
  { currency, amount }: { currency: string; amount: string },
): void => {
  const family = account.startsWith('0x') ? 'evm' : 'solana'
  const known = world.enabled
    .filter((chain) => chainFamilyOf(chain) === family)
    .flatMap((chain) => listAccounts(world, chain))
    .filter((one) => one.currency === currency.toLowerCase())
  if (!known.length) throw new Error(`No chain of the test service knows the currency ${currency}`)
  for (const { decimals, set } of known) {
    const units = toBaseUnits(amount, decimals)
    if (units === undefined) throw new Error(`${amount} is not an amount of ${currency}`)
    set(account, units)
  }
}
