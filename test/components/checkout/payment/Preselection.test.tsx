import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { Checkout, CheckoutProvider } from 'kassa'
import { StrictMode } from 'react'
import { expect, test } from 'vitest'
import { WagmiProvider } from 'wagmi'
import { createOrder, getOrder } from '../../../../src/api/index.js'
import { createTestService, createTestWallet } from '../../../../src/testing/index.js'

/** Shows the panel of an order in USDC to a wallet that holds so much. `refusal` answers every change of the order. */
const show = async (balance: Record<string, string>, refusal?: () => Response) => {
  const answered: string[] = []
  const service = createTestService()
  const wallet = createTestWallet({ service, balance })
  const send: typeof fetch = async (input, init) => {
    const response = await ((init?.method === 'PATCH' && refusal?.()) || service.client.fetch(input, init))
    answered.push(`${init?.method} ${new URL(String(input)).pathname.split('/').at(-1)}`)
    return response
  }
  const client = { ...service.client, fetch: send }
  const { order, clientSecret } = await createOrder(service.client, {
    body: {
      recipient: { walletAddress: wallet.address },
      payment: { method: 'base-sepolia', currency: 'usdc', payerAddress: wallet.address },
      lineItems: { collectionLocator: 'kassa:dunes-at-dusk' },
    },
  })
  const { orderId } = order
  render(
    <StrictMode>
      <WagmiProvider config={wallet.config}>
        <QueryClientProvider client={new QueryClient()}>
          <CheckoutProvider client={client} {...service.rules}>
            <Checkout.Panel orderId={orderId} clientSecret={clientSecret} />
          </CheckoutProvider>
        </QueryClientProvider>
      </WagmiProvider>
    </StrictMode>,
  )
  const readPayment = async () => (await getOrder(service.client, { orderId, clientSecret })).payment
  const select = () => screen.findByRole<HTMLSelectElement>('combobox', { name: 'Pay with' })
  return { answered, readPayment, select, wallet }
}

test('default: a wallet that lacks the currency pays in the cheapest that it has, and what the buyer chooses then stays', async () => {
  const { readPayment, select, answered, wallet } = await show({ usdc: '0.4', pol: '0' })
  await waitFor(async () => expect((await select()).value).toBe('base-sepolia:eth'))
  const payment = await readPayment()
  expect(payment).toMatchObject({ method: 'base-sepolia', currency: 'eth', status: 'awaiting-payment' })
  expect(payment.preparation?.payerAddress).toBe(wallet.address)
  expect(answered.filter((each) => each.startsWith('PATCH'))).toHaveLength(1)

  fireEvent.change(await select(), { target: { value: 'base-sepolia:usdc' } })
  await waitFor(async () => expect((await readPayment()).currency).toBe('usdc'))
  await screen.findByText('Missing')
  // The ways to pay were read for it, too.
  await waitFor(() => expect(answered.filter((each) => each.endsWith('payment-options'))).toHaveLength(2))
  await act(async () => {})
  expect(answered.filter((each) => each.startsWith('PATCH'))).toHaveLength(2)
  expect((await readPayment()).currency).toBe('usdc')
})

test('behavior: a wallet that can pay as the order says is asked about nothing', async () => {
  const { readPayment, answered, select } = await show({ usdc: '1000' })
  await screen.findByRole('button', { name: /^Pay / })
  expect((await select()).value).toBe('base-sepolia:usdc')
  expect((await readPayment()).currency).toBe('usdc')
  expect(answered.some((each) => each.endsWith('payment-options'))).toBe(false)
})

test('behavior: a wallet that can pay in no way sees what it lacks', async () => {
  const { readPayment, answered } = await show({ usdc: '0.4', eth: '0', pol: '0' })
  await waitFor(() => expect(answered.some((each) => each.endsWith('payment-options'))).toBe(true))
  await screen.findByText('Missing')
  expect((await readPayment()).currency).toBe('usdc')
  expect(answered.some((each) => each.startsWith('PATCH'))).toBe(false)
})

test('behavior: a change that the service refuses shows nothing until the buyer asks for one, and is not asked for again', async () => {
  const message = 'payment.currency: this currency is not for sale today'
  const refusal = () => Response.json({ error: true, message }, { status: 400 })
  const { readPayment, answered, select } = await show({ usdc: '0.4' }, refusal)
  const countChanges = () => answered.filter((each) => each.startsWith('PATCH')).length
  await waitFor(() => expect(countChanges()).toBe(1))
  await waitFor(async () => expect((await select()).getAttribute('aria-disabled')).toBe(null))
  await act(async () => {})
  expect(screen.queryByRole('alert')).toBe(null)
  expect((await select()).value).toBe('base-sepolia:usdc')
  expect((await readPayment()).currency).toBe('usdc')
  expect(countChanges()).toBe(1)

  fireEvent.change(await select(), { target: { value: 'base-sepolia:eth' } })
  await screen.findByText('The shop does not accept this.')
  expect(countChanges()).toBe(2)
})
