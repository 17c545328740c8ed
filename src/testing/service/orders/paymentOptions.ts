import * as z from 'zod/mini'
import { invalid } from '../../../engine/invalidInput.js'
import type { OrderState } from '../../../engine/order/order.js'
import {
  isQuotedIn,
  isSameNetworkKind,
  knownUnits,
  viewPaymentOption,
} from '../../../engine/order/paymentOptions.js'
import { changeTerms } from '../../../engine/order/terms.js'
import { parseInput } from '../../../engine/parseInput.js'
import { explainChainAddress, parseChainAddress } from '../../../engine/wallet/parseChainAddress.js'
import { WalletAddress } from '../../../schema/locator.js'
import { listChainCurrencies, testRates } from '../../network.js'
import type { Answer } from '../http.js'
import { estimatePayment } from '../payment.js'
import type { TestOrder, TestWorld } from '../testWorld.js'
import { assertEditable } from './changeOrder.js'
import { price } from './priceOrder.js'

const OptionsQuery = z.object({ payerAddress: z.optional(WalletAddress) })

/** Lists the chains that an order may be paid on, and the payer in each chain's own form, if there is one. */
const listPlaces = ({ enabled }: TestWorld, { payment }: OrderState, named: string | undefined) => {
  const { chain: own, refundAddress } = payment
  const chains = enabled.filter((chain) => isSameNetworkKind(own, chain))
  const given = named ?? payment.payerAddress
  const places = chains
    .map((chain) => ({ chain, payer: given === undefined ? undefined : parseChainAddress(chain, given) }))
    .filter(({ payer }) => named === undefined || payer !== undefined)
  if (named !== undefined && !places.length) {
    throw invalid('payerAddress', explainChainAddress(named, ...chains))
  }
  return places.filter(
    ({ chain }) => refundAddress === undefined || parseChainAddress(chain, refundAddress) !== undefined,
  )
}

/** Lists the ways to pay an order. */
export const listPaymentOptions = (world: TestWorld, record: TestOrder, query: URLSearchParams): Answer => {
  const { payerAddress } = parseInput(OptionsQuery, Object.fromEntries(query), 'query')
  assertEditable(record)
  const { order } = record
  const { payment, ...terms } = changeTerms(order, {})
  const { payerAddress: _, ...own } = payment
  const body = listPlaces(world, order, payerAddress).flatMap(({ chain, payer }) => {
    const currencies = listChainCurrencies(chain)
    const [native] = currencies
    return currencies.flatMap((currency) => {
      const way = { chain, ...currency, ...(payer !== undefined && { payerAddress: payer }) }
      const isKept = isQuotedIn(order, { ...way, payer }, world.now())
      const units = knownUnits(
        isKept ? order : price(world, { ...terms, payment: { ...own, ...way } }, false),
      )
      const estimate = units ? estimatePayment(world, way, { payer, units }) : undefined
      if (!units || !estimate || !native) return []
      return [viewPaymentOption({ chain, currency, native, units, estimate, rates: testRates })]
    })
  })
  return { status: 200, body }
}

/** Lists the chains that new orders can be paid on. */
export const listPaymentMethods = ({ enabled }: TestWorld): Answer => ({
  status: 200,
  body: enabled.map((method) => ({
    method,
    currencies: listChainCurrencies(method).map(({ address: contractAddress, ...currency }) => ({
      ...currency,
      ...(contractAddress !== undefined && { contractAddress }),
    })),
  })),
})
