import type { Address } from 'viem'
import { ServiceError } from '#base/errors.js'
import { memoizeAsync } from '#base/lib/memoizeAsync.js'
import type { ChainParts } from '../chainParts.js'

/** How long a contract counts as shown: in a sale, every mint asks for the contract of its collection. */
const shownForMs = 1_000

/**
 * Creates the check that a node shows a contract: a call to an address without code succeeds and does nothing. The check
 * throws a {@link ServiceError} `chain-unavailable` if there is none.
 */
export const createExpectContract = ({
  options,
  read,
}: ChainParts): ((address: Address) => Promise<void>) => {
  const { chain } = options
  const shown = new Map<Address, () => Promise<void>>()
  return (address) => {
    const look = async (): Promise<void> => {
      if (await read((client) => client.getCode({ address }))) return
      throw new ServiceError('chain-unavailable', `${chain} does not show the contract ${address} yet`, {
        retryAfterSeconds: 5,
      })
    }
    const known = shown.get(address) ?? memoizeAsync(look, shownForMs, Date.now)
    shown.set(address, known)
    return known()
  }
}
