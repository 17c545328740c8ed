import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, configure, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { Checkout, CheckoutProvider, createClient } from 'kassa'
import { createOrder } from 'kassa/api'
import { StrictMode } from 'react'
import { afterEach, expect, inject, test } from 'vitest'
import { WagmiProvider } from 'wagmi'
import { disconnect } from 'wagmi/actions'
import { createBuyer } from '../../helpers/createBuyer.js'

const shop = inject('shop')

// A real service and a real chain, on machines that are busy.
configure({ asyncUtilTimeout: 30_000 })

afterEach(cleanup)

const options = ['eth', 'usdc', 'dai'].map((currency) => ({ method: 'base-sepolia', currency }))

/** An order that nobody is to pay yet, before a buyer whose wallet is not connected. */
const openCheckout = async () => {
  const { config, queryClient, client, storage, parameters } = await createBuyer(shop)
  await disconnect(config)
  const merchant = createClient({ baseUrl: shop.baseUrl, apiKey: shop.serverKey })
  const { clientSecret, order } = await createOrder(merchant, {
    body: {
      recipient: { email: 'ada@example.com' },
      payment: { method: 'base-sepolia', currency: 'eth' },
      lineItems: { collectionLocator: 'kassa:dunes' },
    },
  })
  render(
    <StrictMode>
      <WagmiProvider config={config} reconnectOnMount={false}>
        <QueryClientProvider client={queryClient}>
          <CheckoutProvider client={client} storage={storage} {...parameters.rules}>
            <Checkout.Root orderId={order.orderId} clientSecret={clientSecret}>
              <Checkout.Wallets />
              <Checkout.Payer />
              <Checkout.PaymentMethod options={options} />
              <Checkout.Funds data-testid="funds" />
              <Checkout.Error />
              <Checkout.Pay data-testid="pay" />
            </Checkout.Root>
          </CheckoutProvider>
        </QueryClientProvider>
      </WagmiProvider>
    </StrictMode>,
  )
}

const pay = () => screen.getByTestId('pay')
const method = () => screen.getByRole<HTMLSelectElement>('combobox')

const choose = async (currency: string) => {
  // While a change is on its way, there is no other.
  await waitFor(() => expect(method().hasAttribute('aria-disabled')).toBe(false))
  fireEvent.change(method(), { target: { value: `base-sepolia:${currency}` } })
}

test('behavior: from a wallet to another currency, against the real service', async () => {
  await openCheckout()
  const connect = await screen.findByRole('button', { name: 'Connect Scripted' })
  expect(pay().textContent).toBe('Connect a wallet to pay')
  fireEvent.click(connect)
  await waitFor(() => expect(pay().textContent).toBe('Pay 0.01\u00a0ETH'))
  expect(screen.getByRole('button', { name: /^Pay from/ }).dataset.payer).toBe('')
  expect(screen.queryByRole('group')).toBe(null)

  // The account that was connected goes on being the payer: the service looks into it, and finds no token.
  await choose('usdc')
  await waitFor(() => expect(pay().textContent).toBe('Not enough USDC'))
  const funds = await screen.findByTestId('funds')
  expect(funds.dataset.balance).toBe('0')
  expect(Number(funds.dataset.missing)).toBeGreaterThan(0)

  // The service knows no such token here: the choice falls back, and the buyer is told.
  await choose('dai')
  expect((await screen.findByRole('alert')).textContent).toBe('The shop does not accept this.')
  expect(method().value).toBe('base-sepolia:usdc')
  expect(pay().textContent).toBe('Not enough USDC')
})
