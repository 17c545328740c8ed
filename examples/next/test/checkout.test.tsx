import { cleanup, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createTestService } from 'kassa/testing'
import { afterEach, expect, test } from 'vitest'
import { openCheckout } from './helpers/openCheckout'

// The checkout polls at its own interval.
afterEach(cleanup)

const pay = async () => userEvent.click(await screen.findByRole('button', { name: /^Pay 0\.012/ }))

test('default: the buyer pays and receives the goods', async () => {
  const { service, wallet, orderId } = await openCheckout()
  await pay()
  await screen.findByRole('heading', { name: 'Your payment is sent' })
  service.advance(3_000)
  await screen.findByRole('heading', { name: /arrived/ })
  expect(service.getOrder(orderId).lineItems[0]?.delivery).toMatchObject({
    status: 'completed',
    recipient: { walletAddress: wallet.address },
  })
})

test('behavior: the buyer declines, then pays', async () => {
  const { service, wallet, orderId } = await openCheckout()
  await screen.findByRole('button', { name: /^Pay 0\.012/ })
  wallet.rejectNext()
  await pay()
  await screen.findByText(/declined/)
  expect(service.getOrder(orderId).phase).toBe('payment')
  await pay()
  await screen.findByRole('heading', { name: 'Your payment is sent' })
})

test('error: a sold-out edition cannot be paid for', async () => {
  const service = createTestService()
  service.sellOut('dunes-at-dusk')
  await openCheckout(service)
  await screen.findByText('Not available')
  expect(screen.queryByRole('button', { name: /^Pay/ })).toBeNull()
})
