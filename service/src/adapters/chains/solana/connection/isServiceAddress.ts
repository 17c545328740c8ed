import { SYSTEM_PROGRAM_ADDRESS } from '@solana-program/system'
import type { ChainPort } from '#base/ports/chain.js'
import type { Operator } from '../chainParts.js'

/** Whether an address is the operator's, a token's, or one at which an order is paid. */
export const isServiceAddress = (
  { operator, currencies, placeOf }: Operator,
  { orderId, address }: Parameters<ChainPort['isServiceAddress']>[0],
): boolean => {
  const mints = currencies.flatMap((each) => each.address ?? [])
  const places = currencies.map(({ currency }) => placeOf({ orderId, currency }))
  const own = places.flatMap(({ account, references }) => [account.address, ...references])
  // The address of 32 zero bytes is the system program's.
  return [SYSTEM_PROGRAM_ADDRESS, operator, ...mints, ...own].some((each) => each === address)
}
