import { SYSTEM_PROGRAM_ADDRESS } from '@solana-program/system'
import type { ChainPort } from '#base/ports/chain.js'
import type { Operator } from '../chainParts.js'

/** Whether an address is the operator's, a token's, or one of an order. */
export const isServiceAddress = (
  { operator, currencies, terms }: Operator,
  { orderId, address }: Parameters<ChainPort['isServiceAddress']>[0],
): boolean => {
  const mints = currencies.flatMap((each) => each.address ?? [])
  const own = terms
    .placesOf(orderId)
    .flatMap(({ account, owner, references }) => [account, owner, ...references])
  // The address of 32 zero bytes is the system program's.
  return [SYSTEM_PROGRAM_ADDRESS, operator, ...mints, ...own].some((each) => each === address)
}
