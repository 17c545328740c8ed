import type { PaymentTerms } from 'kassa/engine'
import type { Deps } from '#base/deps.js'
import type { SignedTransferToken } from '#base/ports/authorizations.js'
import type { ChainPort } from '#base/ports/chain.js'
import { newSecret } from '#identity/keys/secret.js'
import { isSponsored } from './offerAuthorization.js'

/**
 * Returns the token in which software pays by x402 in a currency, or `undefined` if the operator sends no such payments.
 */
export const findX402Token = async (
  deps: Pick<Deps, 'config'>,
  chain: ChainPort,
  currency: string,
): Promise<SignedTransferToken | undefined> =>
  isSponsored(deps, chain, currency) ? chain.authorizations?.findTransferToken(currency) : undefined

/**
 * Returns the terms of a payment with the URL at which software pays for the order, where it can. Its token opens this one
 * thing, and stays the same when the order is quoted again.
 */
export const withX402Url = async (
  deps: Pick<Deps, 'config' | 'randomBytes'>,
  chain: ChainPort,
  { orderId, payment }: { orderId: string; payment: PaymentTerms },
): Promise<PaymentTerms> => {
  const { x402Url: known, ...terms } = payment
  if (!(await findX402Token(deps, chain, payment.currency))) return terms
  const path = `/api/2022-06-09/orders/${orderId}/x402`
  const fresh = () => `${deps.config.publicUrl}${path}?token=${newSecret('xp', deps.randomBytes)}`
  return { ...terms, x402Url: known ?? fresh() }
}
