import { screen } from '@testing-library/react'
import { Checkout } from 'kassa'
import { parseEther } from 'viem'
import { expect, test, vi } from 'vitest'
import { createCheckout } from '../../../../stories/fixtures/checkout.js'
import { orders } from '../../../../stories/fixtures/orders.js'
import { connectedBuyer, Wallet } from '../../../../stories/fixtures/wallet.js'
import { mount } from '../../mount.js'

const loads = vi.hoisted(() => ({ count: 0 }))

vi.mock('../../../../src/pay/createPayment.js', () => {
  loads.count++
  throw new Error('Failed to fetch dynamically imported module')
})

test('behavior: while the code that reads the balance cannot be loaded, the other parts are shown without it', async () => {
  mount(
    createCheckout(orders.awaitingPaymentNative),
    <Wallet account={connectedBuyer} balance={parseEther('1.5')}>
      <Checkout.Balance data-testid="balance" />
      <Checkout.Total data-testid="total" />
    </Wallet>,
  )
  await vi.waitFor(() => expect(loads.count).toBeGreaterThan(0))
  expect(screen.queryByTestId('balance')).toBeNull()
  expect(screen.getByTestId('total').textContent).toMatch(/ETH/)
})
