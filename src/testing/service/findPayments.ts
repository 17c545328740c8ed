import { getAddress, type Hex } from 'viem'
import { getDepositAddress, toOrderReference } from '../../chain/orderAddresses.js'
import type { TestLog } from '../chain/testTransaction.js'
import { contracts, listCurrencies, nameChain, type TestCurrency } from '../network.js'
import type { TestOrder, TestPayment } from './testOrder.js'
import type { TestWorld } from './testWorld.js'

const toAddress = (topic: Hex | undefined): Hex => getAddress(`0x${(topic ?? '').slice(-40)}`)

/** The currency that a log says the order was paid in; undefined when it says nothing of the order. */
const readCurrency = (
  log: TestLog,
  orderId: string,
  currencies: readonly TestCurrency[],
): TestCurrency | undefined => {
  const [, first, second] = log.topics
  if (log.address === contracts.router) {
    return first === toOrderReference(orderId) ? currencies.find(({ address }) => !address) : undefined
  }
  const isToOrder = toAddress(second) === getDepositAddress(contracts.depositFactory, orderId)
  return isToOrder ? currencies.find(({ address }) => address === log.address) : undefined
}

/** The payments for an order that are in a block, and that it does not know of yet. */
export const findPayments = ({ chains }: TestWorld, order: TestOrder): TestPayment[] =>
  chains.transactions().flatMap(({ hash, chainId, mined }) => {
    const chain = nameChain(chainId)
    if (!mined || !chain || order.payments.some(({ txId }) => txId === hash)) return []
    const currencies = listCurrencies(chain)
    return mined.logs.flatMap((log): TestPayment[] => {
      const found = readCurrency(log, order.orderId, currencies)
      if (!found) return []
      // The payer stands second in the router's log, first in a token's.
      const payer = toAddress(log.topics[log.address === contracts.router ? 2 : 1])
      const { currency, decimals } = found
      const units = BigInt(log.data)
      return [
        { txId: hash, chain, currency, decimals, units, payer, minedAtMs: mined.atMs, use: 'undecided' },
      ]
    })
  })
