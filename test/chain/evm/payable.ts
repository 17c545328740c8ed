import {
  type Address,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  parseAbi,
  parseUnits,
  serializeTransaction,
  type TransactionSerializableEIP1559,
} from 'viem'
import {
  findToken,
  getDepositAddress,
  type PaymentContracts,
  toOrderReference,
} from '../../../src/chain/index.js'
import { isKassaError } from '../../../src/errors/index.js'
import type { Order } from '../../../src/schema/index.js'

export const orderId = '5b1f6a8e-2a63-4f0e-9c86-0f1d4a6f7c11'
export const payer: Address = '0x2222222222222222222222222222222222222222'
export const stranger: Address = '0xbaDBAdbADbaDBADBAdBaDbaDbadBAdbaDbaDbadb'
export const contracts: PaymentContracts = {
  router: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  depositFactory: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
}
export const usdc: Address = findToken({}, 'base-sepolia', 'usdc')?.address ?? '0x'
export const deposit = getDepositAddress(contracts.depositFactory, orderId)
export const expiresAt = '2030-01-01T00:10:00.000Z'
export const deadline = BigInt(Date.parse(expiresAt) / 1000)

const routerAbi = parseAbi(['function pay(bytes32 orderRef, uint256 deadline) payable'])

/** The router's own call, for this order unless told otherwise. */
export const routerPay = (orderRef: Hex = toOrderReference(orderId), until = deadline): Hex =>
  encodeFunctionData({ abi: routerAbi, args: [orderRef, until] })

/** A token's transfer, of the order's price to its deposit address unless told otherwise. */
export const transfer = (to: Address = deposit, units = 36_000_000n): Hex =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, units] })

const envelope = {
  type: 'eip1559',
  chainId: 84532,
  gas: 90_000n,
  maxFeePerGas: 3_000_000n,
  maxPriorityFeePerGas: 1_000_000n,
} as const

/** What pays 0.012 eth to the router. */
export const nativeTransaction = {
  ...envelope,
  to: contracts.router,
  value: parseUnits('0.012', 18),
  data: routerPay(),
} satisfies TransactionSerializableEIP1559

/** What pays 36 usdc to the order's deposit address. */
export const tokenTransaction = {
  ...envelope,
  to: usdc,
  data: transfer(),
} satisfies TransactionSerializableEIP1559

const makeOrder = (amount: string, currency: string, serializedTransaction: Hex): Order => ({
  orderId,
  phase: 'payment',
  lineItems: [],
  quote: { status: 'valid', expiresAt, totalPrice: { amount, currency } },
  payment: {
    status: 'awaiting-payment',
    method: 'base-sepolia',
    currency,
    preparation: { chain: 'base-sepolia', payerAddress: payer, serializedTransaction },
  },
})

/** An order of 0.012 eth, with what is to be signed changed or replaced. */
export const nativeOrder = (change: Partial<TransactionSerializableEIP1559> | Hex = {}): Order =>
  makeOrder(
    '0.012',
    'eth',
    typeof change === 'string' ? change : serializeTransaction({ ...nativeTransaction, ...change }),
  )

/** An order of 36 usdc, with what is to be signed changed or replaced. */
export const tokenOrder = (change: Partial<TransactionSerializableEIP1559> | Hex = {}): Order =>
  makeOrder(
    '36',
    'usdc',
    typeof change === 'string' ? change : serializeTransaction({ ...tokenTransaction, ...change }),
  )

/** An order whose payment says something else. */
export const withPayment = (order: Order, payment: Partial<Order['payment']>): Order => ({
  ...order,
  payment: { ...order.payment, ...payment },
})

/** An order whose preparation says something else. */
export const withPreparation = (
  order: Order,
  preparation: Partial<NonNullable<Order['payment']['preparation']>>,
): Order =>
  withPayment(order, { preparation: { chain: 'base-sepolia', ...order.payment.preparation, ...preparation } })

/** An order whose quote says something else. */
export const withQuote = (order: Order, quote: Partial<Order['quote']>): Order => ({
  ...order,
  quote: { ...order.quote, ...quote },
})

/** The code of the library's error that some work ends with, or `none`. Anything else thrown passes. */
export const codeOf = (work: () => unknown): string => {
  try {
    work()
  } catch (error) {
    if (isKassaError(error)) return error.code
    throw error
  }
  return 'none'
}
