import type { Address } from 'viem'

/**
 * The balance of every account on every test chain until a test sets another. @units whole units, times
 * 10^decimals
 */
const everybodyHas = 1_000_000n

/** An account's place in the bank. Without a token, it is of the native currency. */
export type BankPlace<Account extends string = Address> = {
  chainId: number
  owner: Account
  token?: Account | undefined
}

/** The balance of each account in each currency on each test chain of one family. */
export type Bank<Account extends string = Address> = {
  /** @units base units */
  get(place: BankPlace<Account>, decimals: number): bigint
  /** @units base units */
  set(place: BankPlace<Account>, units: bigint): void
  /** Opens an account with zero balance, as for a wallet the service has just created. */
  openEmpty(owner: Account): void
  /** @returns A function that restores the current balances. */
  save(): () => void
}

/**
 * Creates the accounts' balances. They are high, so that only a test about missing funds has to set them.
 *
 * @param toCanonical - Returns the one spelling of an address.
 */
export const createBank = <Account extends string>(
  toCanonical: (address: Account) => Account,
): Bank<Account> => {
  let balances = new Map<string, bigint>()
  const empty = new Set<string>()
  const key = ({ chainId, owner, token }: BankPlace<Account>): string =>
    `${chainId} ${toCanonical(owner)} ${token ? toCanonical(token) : 'native'}`
  return {
    get: (place, decimals) =>
      balances.get(key(place)) ??
      (empty.has(toCanonical(place.owner)) ? 0n : everybodyHas * 10n ** BigInt(decimals)),
    set: (place, units) => void balances.set(key(place), units),
    openEmpty: (owner) => void empty.add(toCanonical(owner)),
    save: () => {
      const saved = new Map(balances)
      return () => {
        balances = saved
      }
    },
  }
}
