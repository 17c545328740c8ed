import { encodeFunctionData, erc20Abi, getAddress, type Hex, serializeTransaction } from 'viem'
import { encodeRouterPay } from '../../chain/evm/calls.js'
import { getDepositAddress, toOrderReference } from '../../chain/evm/orderAddresses.js'
import { dueUnits } from '../../engine/order/applyQuote.js'
import type { FundsCheck, OrderState, PaymentState } from '../../engine/order/order.js'
import { listMissing, type PaymentEstimate } from '../../engine/order/paymentOptions.js'
import { toBaseUnits } from '../../schema/baseUnits.js'
import { nativeCurrencyOf } from '../../schema/chains.js'
import { gasPriceWei, gasUsed, type TestCall, type TestLog } from '../evm/testTransaction.js'
import {
  contracts,
  findCurrency,
  getChainId,
  listCurrencies,
  nameChain,
  type TestCurrency,
} from '../network.js'
import { buyer, solanaBuyer } from '../orderFixture.js'
import { offerAuthorization } from './offerAuthorization.js'
import {
  estimateSolanaPayment,
  findSolanaPayments,
  paySolanaOrder,
  prepareSolanaPayment,
} from './solanaPayment.js'
import type { TestOrder, TestWorld } from './testWorld.js'

/** Returns the call that pays an order. @units `units` in base units of the payment's currency */
const getPaymentCall = (
  { orderId, quote, payment }: Pick<OrderState, 'orderId' | 'quote' | 'payment'>,
  units: bigint,
): Omit<TestCall, 'from'> => {
  const token = findCurrency(payment)?.address
  if (token) {
    const args = [getDepositAddress(contracts.depositFactory, orderId), units] as const
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
    return { to: token, value: 0n, data }
  }
  const deadline = BigInt(Math.floor((quote.expiresAtMs ?? 0) / 1_000))
  const data = encodeRouterPay(toOrderReference(orderId), deadline)
  return { to: contracts.router, value: units, data }
}

const gas = (gasUsed * 5n) / 4n
const maxFeePerGas = gasPriceWei * 4n

/** Estimates what a payment takes of a payer. Returns `undefined` where a chain takes no payment of so little. */
export const estimatePayment = (
  { chains, solana }: TestWorld,
  place: { chain: string; currency: string; decimals: number },
  { payer, units }: { payer: string | undefined; units: bigint },
): PaymentEstimate | undefined => {
  const { chain, currency, decimals } = place
  if (chain === 'solana') return estimateSolanaPayment(solana, { payer, currency, units })
  const fee = gas * maxFeePerGas
  if (payer === undefined) return { fee }
  const [chainId, owner] = [getChainId(chain), getAddress(payer)]
  const token = findCurrency(place)?.address
  const native = chains.bank.get({ chainId, owner }, 18)
  const balance = token ? chains.bank.get({ chainId, owner, token }, decimals) : native
  const coin = nativeCurrencyOf(chain) ?? ''
  return {
    fee,
    funds: { balance, missing: listMissing(coin, { balance, native }, { currency, units, fee }) },
  }
}

/**
 * Reads whether the payer of an order can pay what is left of its price, and builds the unsigned transaction that does, and
 * what the payer may sign instead if the shop sends the payment. Returns `undefined` while the order has no price or no payer.
 */
export const preparePayment = (
  world: TestWorld,
  order: Pick<OrderState, 'orderId' | 'quote' | 'payment' | 'payments'>,
): FundsCheck | undefined => {
  const { payment } = order
  const { payerAddress: payer } = payment
  const units = dueUnits(order)
  // What costs nothing is claimed, and never paid.
  if (payer === undefined || !units) return undefined
  if (payment.chain === 'solana') {
    const { orderId } = order
    const { currency } = payment
    return prepareSolanaPayment(world.solana, { orderId, payer, currency, units })
  }
  const funds = estimatePayment(world, payment, { payer, units })?.funds
  if (!funds || funds.balance < units) return { status: 'insufficient-funds' }
  const offer = offerAuthorization(world, order)
  if (funds.missing.length) return { status: 'insufficient-funds-for-gas', ...offer }
  const { to, value, data } = getPaymentCall(order, units)
  const chainId = getChainId(payment.chain)
  const fees = { gas, maxFeePerGas, maxPriorityFeePerGas: gasPriceWei }
  return {
    status: 'ready',
    serializedTransaction: serializeTransaction({ type: 'eip1559', chainId, to, value, data, ...fees }),
    ...offer,
  }
}

const toAddress = (topic: Hex | undefined): Hex => getAddress(`0x${(topic ?? '').slice(-40)}`)

/** Returns the currency in which a log pays the order, or `undefined` if it does not. */
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

/** A payment as an order takes it. */
export type FoundPayment = Omit<PaymentState, 'use'>

const findEvmPayments = ({ chains }: TestWorld, { order, seen }: TestOrder): FoundPayment[] =>
  chains.transactions().flatMap(({ hash: txId, chainId, mined }) => {
    const chain = nameChain(chainId)
    if (!mined || !chain) return []
    const currencies = listCurrencies(chain)
    return mined.logs.flatMap((log, index) => {
      const id = `${txId}:${index}`
      const found = readCurrency(log, order.orderId, currencies)
      if (!found || seen.has(id)) return []
      // The router's log has the payer in its second field, a token's log in its first.
      const payer = toAddress(log.topics[log.address === contracts.router ? 2 : 1])
      const { currency, decimals } = found
      const units = `${BigInt(log.data)}`
      return [{ id, txId, chain, currency, decimals, units, payer, minedAtMs: mined.atMs }]
    })
  })

/** Finds the payments for an order that are in a block and that it has not seen yet. */
export const findPayments = (world: TestWorld, record: TestOrder): FoundPayment[] => [
  ...findEvmPayments(world, record),
  ...findSolanaPayments(world.solana, record.order.orderId).filter(({ id }) => !record.seen.has(id)),
]

/** How a payment differs from what the order asks for. */
export type TestPaymentOptions = {
  /** Too little, or too much. @units decimal string in whole units of the payment's currency */
  amount?: string | undefined
  /** The payer, by default the order's. */
  payerAddress?: string | undefined
  /**
   * Whether the payer is a contract, such as an exchange's. What goes back to one that the order does not name as its
   * payer waits until an address is named: `refundHeld.reason` is `contract-payer`.
   */
  isContract?: boolean | undefined
}

/**
 * Pays an order in a block at the current time.
 *
 * @returns The transaction's hash, or on Solana its signature.
 */
export const payTestOrder = (
  world: TestWorld,
  record: TestOrder,
  { isContract, ...options }: TestPaymentOptions = {},
): string => {
  const txId = send(world, record, options)
  if (isContract) record.contractTxIds.add(txId)
  return txId
}

const send = (
  { chains, solana }: TestWorld,
  { order }: TestOrder,
  { amount, payerAddress }: TestPaymentOptions,
): string => {
  const { payment, quote } = order
  const priced = quote.totalUnits === undefined ? undefined : BigInt(quote.totalUnits)
  const units = amount === undefined ? priced : toBaseUnits(amount, payment.decimals)
  if (units === undefined) throw new Error(`Order ${order.orderId} cannot be paid: it has no price`)
  const payer = payerAddress ?? payment.payerAddress
  if (payment.chain === 'solana') {
    const { orderId } = order
    return paySolanaOrder(solana, {
      orderId,
      payer: payer ?? solanaBuyer,
      currency: payment.currency,
      units,
    })
  }
  const from = getAddress(payer ?? buyer)
  const hash = chains.send(
    getChainId(payment.chain),
    { ...getPaymentCall(order, units), from },
    { delayMs: 0 },
  )
  const sent = chains.transactions().find((transaction) => transaction.hash === hash)
  if (sent?.mined?.isReverted) {
    throw new Error('The payment was refused: the quote has expired, or its payer does not have enough')
  }
  return hash
}
