import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { CheckoutProvider, useOrder, usePayOrder } from 'kassa'
import { createOrder } from 'kassa/api'
import { solana } from 'kassa/solana'
import { createTestService, createTestSolanaWallet, createTestWallet } from 'kassa/testing'
import { afterEach, expect, test } from 'vitest'
import { WagmiProvider } from 'wagmi'

// Your own component.
const Payment = (session: { orderId: string; clientSecret: string }) => {
  const { data: order } = useOrder(session)
  const { step, pay } = usePayOrder(session)
  const [token] = order?.lineItems[0]?.delivery.tokens ?? []
  return (
    <>
      <button type="button" onClick={() => pay()}>
        Pay {order?.quote.totalPrice?.amount} SOL
      </button>
      <output>{token ? `Yours: ${token.mintHash}` : 'error' in step ? step.error.code : step.status}</output>
    </>
  )
}

afterEach(() => {
  cleanup()
  localStorage.clear()
})

/** Opens the payment of an order with a service in memory and a buyer with a scripted wallet. */
const visit = async () => {
  const service = createTestService({
    chains: ['base-sepolia', 'solana'],
    collections: [{ id: 'tea', chain: 'solana', price: '0.5' }],
  })
  const wallet = createTestSolanaWallet({ service, balance: { sol: '2' } })
  const { order, clientSecret } = await createOrder(service.client, {
    body: {
      recipient: { walletAddress: wallet.address },
      payment: { method: 'solana', currency: 'sol', payerAddress: wallet.address },
      lineItems: { collectionLocator: 'kassa:tea' },
    },
  })
  const payments = solana(wallet.parameters)
  render(
    <WagmiProvider config={createTestWallet({ service }).config}>
      <QueryClientProvider client={new QueryClient()}>
        <CheckoutProvider client={service.client} {...service.rules} solana={payments}>
          <Payment orderId={order.orderId} clientSecret={clientSecret} />
        </CheckoutProvider>
      </QueryClientProvider>
    </WagmiProvider>,
  )
  const pay = async () => userEvent.click(await screen.findByRole('button', { name: 'Pay 0.5 SOL' }))
  return { service, wallet, pay }
}

test('default: sells a tea', async () => {
  const { service, wallet, pay } = await visit()
  await pay()
  await screen.findByText('confirming')
  // The payment is in a block and the token is delivered.
  service.advance(3_000)
  await screen.findByText(/^Yours/)
  expect(service.getTokens(`solana:${wallet.address}`)).toHaveLength(1)
})

test('error: a declined payment is not made', async () => {
  const { wallet, pay } = await visit()
  wallet.rejectNext()
  await pay()
  await screen.findByText('pay.rejected')
})
