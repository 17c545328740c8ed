import { QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { Checkout, CheckoutProvider, type CheckoutValue } from 'kassa'
import { expect, inject, test, vi } from 'vitest'
import { WagmiProvider } from 'wagmi'
import { getOrder } from '../../../../src/api/index.js'
import { buyer } from '../../../../stories/fixtures/build.js'
import { createCheckout } from '../../../../stories/fixtures/checkout.js'
import { sponsoredOrder, waysWithoutFee } from '../../../../stories/fixtures/gasless.js'
import { orders } from '../../../../stories/fixtures/orders.js'
import { connectedBuyer, Wallet } from '../../../../stories/fixtures/wallet.js'
import { waysToPay } from '../../../../stories/fixtures/waysToPay.js'
import { describeConformance } from '../../../conformance.js'
import { createBuyer } from '../../../helpers/createBuyer.js'
import { limits } from '../../../limits.js'
import { mount } from '../../mount.js'

const noChange = () => {}

describeConformance({
  name: 'PaymentOptions',
  part: (props) => (
    <Wallet>
      <Checkout.PaymentOptions options={waysToPay} {...props} />
    </Wallet>
  ),
  value: createCheckout(orders.awaitingPaymentNative, { edit: noChange, isEditing: true }),
  tag: 'div',
  data: { 'data-count': '4', 'data-pending': '' },
})

const show = (value: CheckoutValue, options = waysToPay) =>
  mount(
    value,
    <Wallet account={connectedBuyer}>
      <Checkout.PaymentOptions options={options} />
    </Wallet>,
  )
const group = () => screen.getByRole('radiogroup', { name: 'Pay with' })
const radios = () => within(group()).getAllByRole<HTMLInputElement>('radio')
const rows = () => radios().map((radio) => radio.closest('label')?.textContent?.replaceAll('\u00a0', ' '))

test('default: what the wallet can pay comes first, then the cheapest', () => {
  show(createCheckout(orders.awaitingPaymentNative, { edit: noChange }))
  expect(rows()).toEqual([
    'ETH on Base Sepolia 0.012 ETH Network fee 0.000052 ETH ',
    'POL on Polygon Amoy 72 POL Network fee 0.0071 POL Missing 72.0071 POL',
    'USDC on Polygon Amoy 36.00 USDC Network fee 0.0052 POL Missing 0.0052 POL',
    'USDC on Base Sepolia 36.00 USDC Network fee 0.000041 ETH Missing 0.40 USDC',
  ])
  expect(radios().map(({ checked }) => checked)).toEqual([true, false, false, false])
})

test('behavior: a buyer without coins can pay where the shop pays the fee, and that comes first', () => {
  show(createCheckout(sponsoredOrder, { edit: noChange }), waysWithoutFee)
  expect(rows()).toEqual([
    'USDC on Base Sepolia 36.00 USDC No network fee ',
    'USDC on Polygon Amoy 36.00 USDC No network fee ',
    'POL on Polygon Amoy 72 POL Network fee 0.0071 POL Missing 72 POL',
    'ETH on Base Sepolia 0.012 ETH Network fee 0.000052 ETH Missing 0.012 ETH',
  ])
})

test('behavior: a choice changes the order, once', () => {
  const edit = vi.fn()
  show(createCheckout(orders.awaitingPaymentNative, { edit }))
  fireEvent.click(screen.getByRole('radio', { name: /^USDC on Polygon Amoy/ }))
  const payment = { method: 'polygon-amoy', currency: 'usdc', payerAddress: buyer }
  expect(edit).toHaveBeenCalledExactlyOnceWith({ payment })
})

test('behavior: while the order cannot be changed, a choice is reset', () => {
  const edit = vi.fn()
  show(createCheckout(orders.awaitingPaymentNative, { edit, isEditing: true }))
  fireEvent.click(screen.getByRole('radio', { name: /^USDC on Polygon Amoy/ }))
  expect(edit).not.toHaveBeenCalled()
  expect(radios()[0]?.checked).toBe(true)
})

test('behavior: what a chain did not say is left out, and can be chosen', () => {
  const edit = vi.fn()
  const unknown = { networkFee: null, balance: null, sufficient: null }
  const options = waysToPay.map(({ missing: _, ...option }) => ({ ...option, ...unknown }))
  show(createCheckout(orders.awaitingPaymentNative, { edit }), options)
  expect(rows()[0]).toMatch(/^ETH on Base Sepolia 0.012 ETH\s*$/)
  fireEvent.click(screen.getByRole('radio', { name: /^POL on Polygon Amoy/ }))
  expect(edit).toHaveBeenCalledOnce()
})

test('behavior: without options, the order’s own is shown; absent once paid, and without a price', () => {
  show(createCheckout(orders.awaitingPaymentNative, { edit: noChange }), [])
  expect(rows()).toEqual([expect.stringMatching(/^ETH on Base Sepolia/)])
  show(createCheckout(orders.completed))
  expect(screen.getAllByRole('radiogroup')).toHaveLength(1)
  show(createCheckout({ ...orders.requiresRecipient, lineItems: [] }))
  expect(screen.getAllByRole('radiogroup')).toHaveLength(1)
})

test('behavior: the service lists them for the connected wallet, and a choice is quoted', async () => {
  const { config, queryClient, client, storage, parameters, clientSecret, order } = await createBuyer(
    inject('shop'),
  )
  render(
    <WagmiProvider config={config} reconnectOnMount={false}>
      <QueryClientProvider client={queryClient}>
        <CheckoutProvider client={client} storage={storage} {...parameters.rules}>
          <Checkout.Root orderId={order.orderId} clientSecret={clientSecret}>
            <Checkout.PaymentOptions />
          </Checkout.Root>
        </CheckoutProvider>
      </QueryClientProvider>
    </WagmiProvider>,
  )
  const wait = { timeout: limits.conditionMs }
  const usdc = await screen.findByRole<HTMLInputElement>('radio', { name: /^USDC on Base Sepolia/ }, wait)
  expect(usdc.closest('label')?.textContent).toContain('Missing 30.00')
  fireEvent.click(usdc)
  await waitFor(async () => {
    expect((await getOrder(client, { orderId: order.orderId, clientSecret })).payment.currency).toBe('usdc')
  }, wait)
  await waitFor(() => expect(usdc.checked).toBe(true), wait)
})

test('behavior: once a part of the price was paid, only its own way is there, with what is left to pay', () => {
  const edit = vi.fn()
  show(createCheckout(orders.underpaid, { edit }))
  expect(rows()).toEqual([expect.stringMatching(/^ETH on Base Sepolia 0\.022 ETH\s*$/)])
})

test('behavior: the ways to pay say what they cost before it is known who gets the goods', () => {
  const { lineItems, ...rest } = orders.requiresRecipient
  const charges = { unit: { amount: '0.012', currency: 'eth' } }
  const told = lineItems.slice(0, 1).map((each) => ({ ...each, quote: { ...each.quote, charges } }))
  show(createCheckout({ ...rest, lineItems: told }, { edit: noChange }))
  expect(rows()).toHaveLength(4)
})
