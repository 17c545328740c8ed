import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { Checkout, CheckoutProvider, createClient } from 'kassa'
import { createOrder } from 'kassa/api'
import { StrictMode } from 'react'
import { createTestClient, http, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { baseSepolia } from 'viem/chains'
import { afterEach, expect, inject, test } from 'vitest'
import { createConfig, WagmiProvider } from 'wagmi'
import { scriptedConnector } from '../../helpers/scriptedConnector.js'
import { createScriptedWallet } from '../../helpers/scriptedWallet.js'

const shop = inject('shop')

// A real service and a real chain, on machines that are busy.

afterEach(cleanup)

const options = ['eth', 'usdc', 'dai'].map((currency) => ({ method: 'base-sepolia' as const, currency }))

/** A wallet of 0.001 eth that is not connected yet. */
const createWallet = async () => {
  const account = privateKeyToAccount(generatePrivateKey())
  const { rpcUrl } = shop
  const faucet = createTestClient({ mode: 'anvil', chain: baseSepolia, transport: http(rpcUrl) })
  await faucet.setBalance({ address: account.address, value: parseEther('0.001') })
  const rpcUrls = { [baseSepolia.id]: rpcUrl }
  return createConfig({
    chains: [baseSepolia],
    connectors: [scriptedConnector(createScriptedWallet({ account, chainId: baseSepolia.id, rpcUrls }))],
    transports: { [baseSepolia.id]: http(rpcUrl) },
    storage: null,
    multiInjectedProviderDiscovery: false,
    // The local chain lacks the public contract that reads are bundled through.
    batch: { multicall: false },
  })
}

/** An order without a payer, shown to a buyer without a connected wallet. */
const openCheckout = async () => {
  const config = await createWallet()
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
        <QueryClientProvider client={new QueryClient()}>
          <CheckoutProvider client={createClient({ baseUrl: shop.baseUrl })} {...shop.rules}>
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
  // The account that was connected is the payer now: the service has looked into it, and so does the part.
  await waitFor(() => expect(pay().textContent).toBe('Not enough ETH'))
  expect(screen.queryByRole('group')).toBe(null)
  const funds = await screen.findByTestId('funds')
  expect(funds.textContent).toBe('In your wallet0.001\u00a0ETHMissing0.009\u00a0ETH')

  await choose('usdc')
  await waitFor(() => expect(pay().textContent).toBe('Not enough USDC'))
  await waitFor(() =>
    expect(screen.getByTestId('funds').dataset).toMatchObject({ balance: '0', currency: 'usdc' }),
  )

  // The service does not know this token, so the choice is reset and the buyer sees why.
  await choose('dai')
  expect((await screen.findByRole('alert')).textContent).toBe('The shop does not accept this.')
  expect(method().value).toBe('base-sepolia:usdc')
  expect(pay().textContent).toBe('Not enough USDC')
})
