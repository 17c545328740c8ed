import * as z from 'zod/mini'
import {
  isQuotedIn,
  knownUnits,
  listPlaces,
  viewPaymentOption,
  withoutFee,
} from '../../../engine/order/paymentOptions.js'
import { changeTerms } from '../../../engine/order/terms.js'
import { parseInput } from '../../../engine/parseInput.js'
import { parseChainAddress } from '../../../engine/wallet/parseChainAddress.js'
import { WalletAddress } from '../../../schema/locator.js'
import { listChainCurrencies, testRates } from '../../network.js'
import type { Answer } from '../http.js'
import { estimatePayment } from '../payment.js'
import type { TestOrder, TestWorld } from '../testWorld.js'
import { assertEditable } from './changeOrder.js'
import { price } from './priceOrder.js'

const OptionsQuery = z.object({ payerAddress: z.optional(WalletAddress) })

/** Lists the ways to pay an order. */
export const listPaymentOptions = (world: TestWorld, record: TestOrder, query: URLSearchParams): Answer => {
  const { payerAddress } = parseInput(OptionsQuery, Object.fromEntries(query), 'query')
  assertEditable(record)
  const { order } = record
  const { payment, ...terms } = changeTerms(order, {})
  const { payerAddress: _, ...own } = payment
  const ports = world.enabled.map((chain) => ({
    chain,
    parseAddress: (text: string) => parseChainAddress(chain, text),
  }))
  const body = listPlaces(order, ports, payerAddress).flatMap(({ port: { chain }, payer }) => {
    const currencies = listChainCurrencies(chain)
    const [native] = currencies
    return currencies.flatMap((currency) => {
      const way = { chain, ...currency, ...(payer !== undefined && { payerAddress: payer }) }
      const isKept = isQuotedIn(order, { ...way, payer }, world.now())
      const units = knownUnits(
        isKept ? order : price(world, { ...terms, payment: { ...own, ...way } }, false),
      )
      const alone = units ? estimatePayment(world, way, { payer, units }) : undefined
      if (!units || !alone || !native) return []
      const isSponsored = world.signedCurrencies[currency.currency] !== undefined
      const estimate = isSponsored && chain !== 'solana' ? withoutFee(alone, native.currency) : alone
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
