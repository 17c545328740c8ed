import { type Address, getAddress } from 'viem'

/** What every account has on every test chain until a test says otherwise. @units whole units, times 10^decimals */
const everybodyHas = 1_000_000n

/** What each account holds of each currency on each test chain. */
export type Bank = {
  /** @units base units; `token` undefined is the native currency. */
  get(chainId: number, owner: Address, token: Address | undefined, decimals: number): bigint
  set(chainId: number, owner: Address, token: Address | undefined, units: bigint): void
  /** Has an account begin with nothing, as what the service has just made does. */
  openEmpty(owner: Address): void
  /** @returns What brings everything back to how it is now. */
  save(): () => void
}

/** Opens accounts for everybody: rich ones, so that only a test about poverty has to speak of money. */
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
