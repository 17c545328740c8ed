import { getAddress } from 'viem'
import { permitSpender } from '../../chain/evm/checkAuthorization.js'
import { getDepositAddress } from '../../chain/evm/orderAddresses.js'
import { nonceOfQuote, type ProposedTerms, writeAuthorization } from '../../engine/evm/authorization.js'
import { dueUnits } from '../../engine/order/applyQuote.js'
import type { FundsCheck, OrderState } from '../../engine/order/order.js'
import { getTokenDomain } from '../evm/createSignatureLedger.js'
import { contracts, findCurrency, getChainId } from '../network.js'
import type { TestWorld } from './testWorld.js'

type Sponsored = Pick<OrderState, 'orderId' | 'quote' | 'payment' | 'payments'>

/** Returns what an authorization must say to pay an order; `undefined` if the shop sends no payment of it. */
export const getTerms = (
  { signedCurrencies, chains }: TestWorld,
  order: Sponsored,
): (ProposedTerms & { currency: string }) | undefined => {
  const { orderId, quote, payment } = order
  const { chain, currency, payerAddress } = payment
  const kind = signedCurrencies[currency]
  const token = findCurrency({ chain, currency })?.address
  const units = dueUnits(order)
  const { expiresAtMs: deadlineMs } = quote
  if (!kind || !token || !units || payerAddress === undefined || deadlineMs === undefined) return undefined
  const [chainId, payer] = [getChainId(chain), getAddress(payerAddress)]
  return {
    kind,
    currency,
    chainId,
    token,
    domain: getTokenDomain(currency),
    spender: permitSpender,
    payer,
    recipient: getDepositAddress(contracts.depositFactory, orderId),
    units,
    validBefore: BigInt(Math.floor(deadlineMs / 1000)),
    nonce: nonceOfQuote({ orderId, units, deadlineMs }),
    permitNonce: chains.signatures.nextPermit(chainId, token, payer),
  }
}

/** Returns what the payer of an order may sign so that the shop sends the payment, if it does. */
export const offerAuthorization = (
  world: TestWorld,
  order: Sponsored,
): Pick<FundsCheck, 'authorization' | 'gas'> => {
  const terms = getTerms(world, order)
  return terms ? { authorization: writeAuthorization(terms), gas: 'shop' } : {}
}
