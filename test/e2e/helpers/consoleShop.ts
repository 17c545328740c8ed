import { createClient, createOrder, getOrder } from 'kassa/api'
import type { CreateOrderBody } from 'kassa/schema'
import { createWalletClient, http, parseTransaction } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { vi } from 'vitest'
import type { RunningService } from '../../../scripts/lib/stack.mjs'
import { limits } from '../../limits.js'
import { fund, rpcUrlOf } from './chain.js'

const chain = 'base-sepolia'

type Payment = { currency?: string; capture?: 'manual'; receiptEmail?: string }
type Details = Pick<CreateOrderBody, 'recipient' | 'metadata' | 'promotionCode'>

/**
 * Buys as buyers do, with a wallet of their own, and looks at orders as the shop's server does, with the sandbox's key
 * or another one.
 */
export const openShop = (running: RunningService, apiKey = running.sandbox.serverKey) => {
  const client = createClient({ baseUrl: `${running.serviceUrl}/api`, apiKey })
  const account = privateKeyToAccount(generatePrivateKey())
  const wallet = createWalletClient({ account, transport: http(rpcUrlOf(running, chain)) })

  const order = async (
    lineItems: CreateOrderBody['lineItems'],
    details: Details = {},
    { currency = 'eth', ...rest }: Payment = {},
  ) => {
    const payment = { method: chain as typeof chain, currency, payerAddress: account.address, ...rest }
    return (await createOrder(client, { body: { lineItems, payment, ...details } })).order
  }
  const waitUntil = (orderId: string, phase: string) =>
    vi.waitUntil(async () => (await getOrder(client, { orderId })).phase === phase, {
      timeout: limits.conditionMs,
      interval: 250,
    })
  return {
    client,
    address: account.address,
    fund: () => fund(running, chain, account.address),
    order,
    /** Orders, pays, and waits for what follows. */
    buy: async (...given: Parameters<typeof order>) => {
      const { orderId, payment } = await order(...given)
      const unsigned = payment.preparation?.serializedTransaction
      if (!unsigned) throw new Error(`nothing to sign: ${payment.status}`)
      const { to, value, data } = parseTransaction(unsigned as `0x${string}`)
      await wallet.sendTransaction({
        chain: null,
        ...(to && { to }),
        ...(value !== undefined && { value }),
        ...(data && { data }),
      })
      await waitUntil(orderId, given[2]?.capture ? 'delivery' : 'completed')
      return orderId
    },
  }
}
