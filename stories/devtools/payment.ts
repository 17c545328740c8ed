import type { DevtoolsSnapshot } from 'kassa/devtools'
import { buyer, expiresAt, quotedAt, router, txId } from '../fixtures/build.js'
import { orders } from '../fixtures/orders.js'
import { payErrors } from '../fixtures/payErrors.js'

const atMs = Date.parse(quotedAt)
const { orderId } = orders.awaitingPaymentNative
const { code, message } = payErrors.dropped

/** A payment that the network has forgotten, after one that was refused. */
export const payment: DevtoolsSnapshot = {
  orders: [
    {
      orderId,
      phase: 'payment',
      quote: 'valid',
      payment: 'awaiting-payment',
      deliveries: ['awaiting-payment'],
      total: '0.042 ETH',
      expiresAt,
      chain: 'base-sepolia',
      payer: buyer,
      step: { status: 'uncertain', code, message },
      attempts: [
        {
          id: 'one',
          chainId: 84532,
          payerAddress: buyer,
          to: router,
          data: '0x',
          valueWei: '42000000000000000',
          attemptedAtMs: atMs + 21_640,
          fromBlock: '41268',
          nonce: 7,
          txId: txId('a'),
          isDropped: true,
          isOpen: true,
        },
      ],
      checked: {
        chain: 'base-sepolia',
        chainId: 84532,
        to: router,
        recipient: router,
        amount: { amount: '0.042', currency: 'eth' },
        token: undefined,
        gas: '61830',
        simulatedAtBlock: '41268',
        atMs: atMs + 21_630,
      },
      forced: undefined,
      canBeForcedTo: [],
    },
  ],
  timeline: [],
  calls: [],
  sandbox: { status: 'ready', chains: ['base-sepolia'] },
}
