import { createClient, getOrder } from 'kassa/api'
import type { Order } from 'kassa/schema'
import { type Address, createPublicClient, type Hex, http, parseAbiItem } from 'viem'
import { expect } from 'vitest'
import { readDelivered } from '../../../scripts/lib/delivered.mjs'
import { rpcUrlOf } from './chain.js'

type Stack = { serviceUrl: string; sandbox: { serverKey: string } }
type Purchase = { orderId: string; payers: readonly Address[] }

const paid = parseAbiItem('event Paid(bytes32 indexed orderRef, address indexed payer, uint256 amount)')
const moved = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)')

/** Every payment that some accounts ever made on a chain, in its currency or in a token, by the chain's logs. */
const findPayments = async (stack: Stack, chain: string, payers: readonly Address[]): Promise<Hex[]> => {
  const node = createPublicClient({ transport: http(rpcUrlOf(stack, chain)) })
  const range = { fromBlock: 0n, strict: true } as const
  const [native, tokens] = await Promise.all([
    node.getLogs({ ...range, event: paid, args: { payer: [...payers] } }),
    node.getLogs({ ...range, event: moved, args: { from: [...payers] } }),
  ])
  return [...native, ...tokens].map(({ transactionHash }) => transactionHash)
}

/** The order as the service has it. */
export const readOrder = ({ serviceUrl, sandbox }: Stack, orderId: string): Promise<Order> =>
  getOrder(createClient({ baseUrl: `${serviceUrl}/api`, apiKey: sandbox.serverKey }), { orderId })

/** Holds the chain and the order to it that this was paid once, in full, and delivered. */
export const expectPaidOnce = async (
  stack: Stack,
  { orderId, payers }: Purchase,
  chain = 'base-sepolia',
): Promise<void> => {
  const order = await readOrder(stack, orderId)
  const payments = await findPayments(stack, chain, payers)
  expect(payments).toHaveLength(1)
  expect(order).toMatchObject({ phase: 'completed', payment: { status: 'completed' } })
  const { amount, currency } = order.quote.totalPrice ?? {}
  expect(order.payment.received).toMatchObject({ amount, currency, txId: payments[0] })
  expect(order.payment.refunded).toBeUndefined()
  // Throws unless the chain names the recipient as the owner.
  expect(await readDelivered(stack, orderId)).toHaveLength(1)
}

/** Holds the chain and the order to it that nothing was paid. */
export const expectUnpaid = async (
  stack: Stack,
  { orderId, payers }: Purchase,
  chain = 'base-sepolia',
): Promise<void> => {
  expect(await findPayments(stack, chain, payers)).toEqual([])
  const order = await readOrder(stack, orderId)
  expect(order.payment.status).toBe('awaiting-payment')
  expect(order.payment.received).toBeUndefined()
}
