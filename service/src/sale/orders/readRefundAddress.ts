import { and, inArray } from 'drizzle-orm'
import { explainChainAddress } from 'kassa/engine'
import type { Database, Transaction } from '#base/db/database.js'
import { paymentTargets } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import { assertUnsanctioned } from '#identity/wallets/sanctions.js'

/** An address to which the refunds of an order are to go on a chain. */
type AskedAddress = { orderId: string; chain: string; address: string }

const refuse = (fault: string): ServiceError =>
  new ServiceError('input-invalid', `payment.refundAddress: ${fault}`)

/**
 * Reads the address of refunds in the canonical form of a chain.
 *
 * @returns `undefined` if it is not an address on the chain.
 * @throws {@link ServiceError} `input-invalid` naming the field if it cannot be a buyer's; `unprocessable` if it is
 * sanctioned.
 */
export const readRefundAddress = (
  { chains, config }: Pick<Deps, 'chains' | 'config'>,
  asked: AskedAddress,
): string | undefined => {
  const port = chains.get(asked.chain)
  const address = port?.parseAddress(asked.address)
  if (!port || address === undefined) return undefined
  if (port.isServiceAddress({ ...asked, address })) {
    throw refuse(`${address} is the zero address or belongs to the shop's payment service`)
  }
  assertUnsanctioned(config, address)
  return address
}

/**
 * Asserts that no order is paid at an address of refunds: the refund would pay for that order.
 *
 * @param forms - The address as each of the chains writes it.
 * @throws {@link ServiceError} `input-invalid` naming the field.
 */
export const assertNoDeposit = async (
  db: Database | Transaction,
  chains: readonly string[],
  forms: readonly string[],
): Promise<void> => {
  const isAt = and(inArray(paymentTargets.chain, [...chains]), inArray(paymentTargets.target, [...forms]))
  const [found] = forms.length ? await db.select().from(paymentTargets).where(isAt).limit(1) : []
  if (found) throw refuse(`${found.target} is an address at which orders are paid`)
}

/** Returns an address as each of the enabled chains writes it. */
export const formsOf = ({ chains }: Pick<Deps, 'chains'>, address: string): string[] =>
  chains.enabled.flatMap((chain) => chains.get(chain)?.parseAddress(address) ?? [])

/**
 * Returns terms of payment with the address of their refunds in the canonical form of their chain.
 *
 * @throws {@link ServiceError} `input-invalid` naming the field; `unprocessable` if the address is sanctioned.
 */
export const withRefundAddress = async <Terms extends { chain: string; refundAddress?: string }>(
  deps: Pick<Deps, 'chains' | 'config' | 'db'>,
  orderId: string,
  terms: Terms,
): Promise<Terms> => {
  const { chain, refundAddress: address } = terms
  if (address === undefined) return terms
  const refundAddress = readRefundAddress(deps, { orderId, chain, address })
  if (refundAddress === undefined) throw refuse(explainChainAddress(address, chain))
  await assertNoDeposit(deps.db, deps.chains.enabled, formsOf(deps, refundAddress))
  return { ...terms, refundAddress }
}
