import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { createTestClient, http, parseTransaction, type TransactionSerializable, walletActions } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { baseSepolia } from 'viem/chains'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { WagmiProvider } from 'wagmi'
import { getOrder } from '../../../src/api/index.js'
import { CheckoutProvider } from '../../../src/components/CheckoutProvider.js'
import { Checkout } from '../../../src/components/checkout/index.js'
import type { Order } from '../../../src/schema/index.js'
import { type Buyer, createBuyer } from '../../helpers/createBuyer.js'

const shop = inject('shop')
let buyer: Buyer

beforeEach(async () => {
  buyer = await createBuyer(shop)
})
afterEach(cleanup)

const show = () =>
  render(
    <WagmiProvider config={buyer.config} reconnectOnMount={false}>
      <QueryClientProvider client={buyer.queryClient}>
        <CheckoutProvider client={buyer.client} storage={buyer.storage} {...buyer.parameters.rules}>
          <Checkout.Panel orderId={buyer.parameters.orderId} clientSecret={buyer.clientSecret} />
        </CheckoutProvider>
      </QueryClientProvider>
    </WagmiProvider>,
  )

/** Another wallet pays a part of the price, as a transfer from an exchange may. */
const payPart = async (value: bigint): Promise<string> => {
  const account = privateKeyToAccount(generatePrivateKey())
  const wallet = createTestClient({
    mode: 'anvil',
    chain: baseSepolia,
    account,
    transport: http(shop.rpcUrl),
  }).extend(walletActions)
  await wallet.setBalance({ address: account.address, value: 10n ** 18n })
  const { serializedTransaction } = buyer.order.payment.preparation ?? {}
  const { to, data } = parseTransaction(serializedTransaction as `0x02${string}`) as TransactionSerializable
  return wallet.sendTransaction({ to: to ?? null, data: data ?? '0x', value })
}
const endQuote = () => fetch(new URL(`/test/endQuote/${buyer.parameters.orderId}`, shop.baseUrl))
const read = (): Promise<Order> => getOrder(buyer.client, buyer.parameters)
/** Waits until the service shows what a test expects. */
const until = (isMet: (order: Order) => boolean): Promise<void> =>
  expect.poll(async () => isMet(await read()), { interval: 50 }).toBe(true)
const button = (name: string | RegExp) => screen.findByRole('button', { name })
const press = async (name: string | RegExp): Promise<void> => {
  fireEvent.click(await button(name))
}

/** What the browser remembers of a payment, as a page that was closed has left it. */
const remember = (txId: string): void => {
  const { chainId, to, data, value } = parseTransaction(
    buyer.order.payment.preparation?.serializedTransaction as `0x02${string}`,
  ) as TransactionSerializable
  buyer.parameters.attemptStore.put({
    id: txId,
    orderId: buyer.parameters.orderId,
    chainId: chainId ?? 0,
    txId,
    payerAddress: buyer.account.address,
    to: to ?? '0x',
    data: data ?? '0x',
    valueWei: String(value),
    attemptedAtMs: Date.now(),
  })
}

test('default: a part goes back, the button gets a new price, and its payment is delivered', async () => {
  const first = await payPart(10n ** 15n)
  // The page was closed before it had seen the end of its payment, and another account paid after it.
  remember(first)
  await until(({ payment }) => payment.received?.txId === first)
  await payPart(2n * 10n ** 15n)
  await until(({ payment }) => payment.received?.amount === '0.003')
  await endQuote()
  await until(({ payment }) => payment.refunded?.amount === '0.003')
  show()
  await press('Get a new price')
  await press(/^Pay 0\.01/)
  await until(({ phase }) => phase === 'completed')
  expect(buyer.countSent()).toBe(1)
  expect(await read()).toMatchObject({
    payment: { received: { amount: '0.013' }, refunded: { amount: '0.003' } },
    lineItems: [{ delivery: { status: 'completed' } }],
  })
  expect(buyer.parameters.attemptStore.list(buyer.parameters.orderId)).toEqual([])
})

test('behavior: while what was paid is not decided about, there is no new price to get', async () => {
  await payPart(10n ** 15n)
  await until(({ payment }) => payment.remaining !== undefined)
  show()
  await button(/^Pay 0\.009/)
  expect(screen.queryByRole('button', { name: 'Get a new price' })).toBeNull()
})
