import { screen, waitFor } from '@testing-library/react'
import { Checkout } from 'kassa'
import { expect, test } from 'vitest'
import { nativePreparation, order } from '../../../../stories/fixtures/build.js'
import { createCheckout } from '../../../../stories/fixtures/checkout.js'
import { sponsoredOrder } from '../../../../stories/fixtures/gasless.js'
import { type OrderName, orders } from '../../../../stories/fixtures/orders.js'
import { connectedBuyer, Wallet, type WalletOptions } from '../../../../stories/fixtures/wallet.js'
import { mount } from '../../mount.js'

const show = (shown: ReturnType<typeof order>, wallet: WalletOptions = {}) =>
  mount(
    createCheckout(shown),
    <Wallet account={connectedBuyer} {...wallet}>
      <Checkout.NetworkFee data-testid="fee" />
    </Wallet>,
  )

test('default', async () => {
  // 80,000 gas at 1.137 gwei, without a fee for data.
  show(orders.awaitingPaymentNative)
  expect((await screen.findByTestId('fee')).textContent).toBe('≈\u00a00.000091\u00a0ETH')
  expect({ ...screen.getByTestId('fee').dataset }).toMatchObject({
    kassa: 'network-fee',
    amount: '0.00009096',
    currency: 'eth',
  })
})

test('behavior: a rollup charges for its data too', async () => {
  show(orders.awaitingPaymentNative, { dataFee: 9_040_000_000_000n, gasPrice: 1_000_000_000n })
  expect((await screen.findByTestId('fee')).dataset.amount).toBe('0.00008904')
})

test('behavior: says that there is none where the shop pays it, and asks no node', () => {
  mount(createCheckout(sponsoredOrder), <Checkout.NetworkFee data-testid="fee" />)
  expect(screen.getByTestId('fee').textContent).toBe('No network fee')
  expect({ ...screen.getByTestId('fee').dataset }).toMatchObject({ amount: '0', currency: 'eth' })
})

const absent: OrderName[] = ['requiresPayer', 'insufficientFunds', 'completed', 'awaitingPaymentSol']
test.each(absent)('behavior: absent in %s, where it needs no wallet around it', (name) => {
  mount(createCheckout(orders[name]), <Checkout.NetworkFee data-testid="fee" />)
  expect(screen.queryByTestId('fee')).toBe(null)
})

test('behavior: absent for a transaction that this version cannot read', async () => {
  const preparation = { ...nativePreparation, serializedTransaction: '0x02ff' }
  const { container } = show(order({ payment: { preparation } }))
  await waitFor(() => expect(container.querySelector('section')).toBeTruthy())
  expect(screen.queryByTestId('fee')).toBe(null)
})
