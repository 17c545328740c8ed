/** Addresses of users' wallets, by the wallet's locator: one that is known never changes. */
export type AddressBook = {
  get(locator: string): string | undefined
  add(locator: string, address: string): void
}

const mostAddresses = 10_000

/** Remembers addresses for as long as the process lives; of very many, the latest. */
export const createAddressBook = (): AddressBook => {
  const known = new Map<string, string>()
  return {
    get: (locator) => known.get(locator),
    add: (locator, address) => {
      known.set(locator, address)
      const [oldest] = known.keys()
      if (known.size > mostAddresses && oldest !== undefined) known.delete(oldest)
    },
  }
}
