import { type Address, getAddress } from 'viem'

/**
 * The balance of every account on every test chain until a test sets another. @units whole units, times
 * 10^decimals
 */
const everybodyHas = 1_000_000n

/** The balance of each account in each currency on each test chain. */
export type Bank = {
  /** @units base units; `token` undefined is the native currency. */
  get(chainId: number, owner: Address, token: Address | undefined, decimals: number): bigint
  set(chainId: number, owner: Address, token: Address | undefined, units: bigint): void
  /** Opens an account with zero balance, as for a wallet the service has just created. */
  openEmpty(owner: Address): void
  /** @returns A function that restores the current balances. */
  save(): () => void
}

/** Creates the accounts' balances. They are high, so that only a test about missing funds has to set them. */
export const createBank = (): Bank => {
  let balances = new Map<string, bigint>()
  const empty = new Set<string>()
  const key = (chainId: number, owner: Address, token: Address | undefined): string =>
    `${chainId} ${getAddress(owner)} ${token ? getAddress(token) : 'native'}`
  return {
    get: (chainId, owner, token, decimals) =>
      balances.get(key(chainId, owner, token)) ??
      (empty.has(getAddress(owner)) ? 0n : everybodyHas * 10n ** BigInt(decimals)),
    set: (chainId, owner, token, units) => void balances.set(key(chainId, owner, token), units),
    openEmpty: (owner) => void empty.add(getAddress(owner)),
    save: () => {
      const saved = new Map(balances)
      return () => {
        balances = saved
      }
    },
  }
}
