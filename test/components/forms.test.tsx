import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { Checkout, CheckoutProvider } from 'kassa'
import { type ReactNode, StrictMode } from 'react'
import { afterEach, expect, inject, test } from 'vitest'
import { WagmiProvider } from 'wagmi'
import { createClient, createOrder, getOrder } from '../../src/api/index.js'
import { createBuyer } from '../helpers/createBuyer.js'
import { field, send, write, wrongOf } from './writeForm.js'

const shop = inject('shop')

// The service and its chain are real, and the machine may be busy.

afterEach(cleanup)

/** Opens a checkout of the real service for an order with nothing but a payment method. */
const mountOrder = async (
  forms: ReactNode,
  recipient?: { walletAddress: string },
  toSent: (body: string) => string = (body) => body,
) => {
  const edits: unknown[] = []
  const buyer = await createBuyer(shop, {
    fetch: (input, init) => {
      if (init?.method !== 'PATCH') return fetch(input, init)
      edits.push(JSON.parse(String(init.body)))
      return fetch(input, { ...init, body: toSent(String(init.body)) })
    },
  })
  const { payment, lineItems } = buyer.body
  const merchant = createClient({ ...shop, apiKey: shop.serverKey })
  const { order, clientSecret } = await createOrder(merchant, { body: { payment, lineItems, recipient } })
  const { orderId } = order
  render(
    <StrictMode>
      <WagmiProvider config={buyer.config} reconnectOnMount={false}>
        <QueryClientProvider client={buyer.queryClient}>
          <CheckoutProvider client={buyer.client} storage={buyer.storage} {...shop.rules}>
            <Checkout.Root orderId={orderId} clientSecret={clientSecret}>
              {forms}
              <Checkout.Pay />
              <Checkout.Error />
            </Checkout.Root>
          </CheckoutProvider>
        </QueryClientProvider>
      </WagmiProvider>
    </StrictMode>,
  )
  await screen.findByRole('form')
  return { ...buyer, edits, read: () => getOrder(buyer.client, { orderId, clientSecret }) }
}

const recipient = 'E-mail or wallet address'
const pay = () => screen.findByRole('button', { name: 'Pay 0.01\u00a0ETH' })

test('default', async () => {
  const { edits, read, account } = await mountOrder(<Checkout.RecipientForm />)
  expect(field(recipient).value).toBe(account.address)
  write({ [recipient]: 'ada@example' })
  send()
  expect(wrongOf(recipient)).toBe('Write it like name@example.com.')
  write({ [recipient]: 'ada@example.com' })
  send()
  expect((await pay()).getAttribute('aria-disabled')).toBe(null)
  expect(screen.queryByRole('form')).toBe(null)
  expect(edits).toEqual([{ recipient: { email: 'ada@example.com' } }])
  expect((await read()).lineItems[0]?.delivery.recipient?.email).toBe('ada@example.com')
})

test('error: api.bad-request, of an account that the form accepts and the service refuses', async () => {
  const account = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
  const { edits } = await mountOrder(<Checkout.RecipientForm />, undefined, (body) =>
    body.replace(account, '9wFFyRfZBsuAha4YcuxcXLKwMxJR43S7fPfQLusDBzvT'),
  )
  write({ [recipient]: account })
  send()
  await waitFor(() => expect(wrongOf(recipient)).toBe('The shop does not accept this.'))
  expect(screen.queryByRole('alert')).toBe(null)
  expect(field(recipient).value).toBe(account)
  expect(document.activeElement).toBe(field(recipient))
  write({ [recipient]: 'ada@example.com' })
  send()
  expect((await pay()).getAttribute('aria-disabled')).toBe(null)
  expect(edits).toHaveLength(2)
})

const walletAddress = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'

test('behavior: an address changes neither whom the order is for nor who pays', async () => {
  const { edits, read, account } = await mountOrder(<Checkout.AddressForm isOpen />, { walletAddress })
  write({ 'Full name': 'Ada Lovelace', 'Street and number': '12 St James’s Square', City: 'London' })
  write({ 'Postal code': 'SW1Y 4JH', Country: 'GB' })
  send()
  await waitFor(() => expect(edits).toHaveLength(1))
  await screen.findByRole('button', { name: 'Continue' })
  expect(edits).toMatchObject([{ recipient: { walletAddress, physicalAddress: { country: 'GB' } } }])
  const sent = await read()
  expect(sent.lineItems[0]?.delivery.recipient?.walletAddress).toBe(walletAddress)
  expect(sent.payment).toMatchObject({
    status: 'awaiting-payment',
    preparation: { payerAddress: account.address },
  })
})

test('behavior: a receipt changes neither who pays nor what with', async () => {
  const { edits, read, account } = await mountOrder(<Checkout.EmailForm isOpen />, { walletAddress })
  write({ 'E-mail': 'ada@example.com' })
  send()
  await waitFor(() => expect(edits).toHaveLength(1))
  await screen.findByRole('button', { name: 'Continue' })
  expect((await read()).payment).toMatchObject({
    status: 'awaiting-payment',
    method: 'base-sepolia',
    currency: 'eth',
    preparation: { payerAddress: account.address },
  })
})
