import { fireEvent, screen, within } from '@testing-library/react'
import { Checkout, type CheckoutValue } from 'kassa'
import type { ReactElement } from 'react'
import { describe, expect, test, vi } from 'vitest'
import { buyer, order } from '../../../stories/fixtures/build.js'
import { createCheckout } from '../../../stories/fixtures/checkout.js'
import { type OrderName, orders } from '../../../stories/fixtures/orders.js'
import { type StepName, steps } from '../../../stories/fixtures/steps.js'
import { connectedBuyer, Wallet } from '../../../stories/fixtures/wallet.js'
import { describeConformance } from '../../conformance.js'
import { mount } from '../mount.js'

const noChange = () => {}

describeConformance({
  name: 'PaymentMethod',
  part: (props) => (
    <Wallet>
      <Checkout.PaymentMethod {...props} />
    </Wallet>
  ),
  value: createCheckout(orders.awaitingPaymentNative, { edit: noChange, isEditing: true }),
  tag: 'select',
  data: { 'data-method': 'base-sepolia', 'data-currency': 'eth', 'data-pending': '' },
})

const show = (value: CheckoutValue, part: ReactElement = <Checkout.PaymentMethod />) =>
  mount(value, <Wallet account={connectedBuyer}>{part}</Wallet>)
const select = (): HTMLSelectElement => screen.getByRole('combobox', { name: 'Pay with' })
const options = () => within(select()).getAllByRole('option')
const choose = (value: string) => fireEvent.change(select(), { target: { value } })

test('default', () => {
  const edit = vi.fn()
  show(createCheckout(orders.awaitingPaymentNative, { edit }))
  expect(options().map((option) => option.textContent)).toEqual([
    'ETH on Base Sepolia',
    'USDC on Base Sepolia',
    'POL on Polygon Amoy',
    'USDC on Polygon Amoy',
  ])
  expect(select().value).toBe('base-sepolia:eth')
  choose('polygon-amoy:usdc')
  const payment = { method: 'polygon-amoy', currency: 'usdc', payerAddress: buyer }
  expect(edit).toHaveBeenCalledExactlyOnceWith({ payment })
})

test('behavior: where the order tells no payer, the connected account pays', () => {
  const edit = vi.fn()
  show(createCheckout(orders.insufficientFunds, { edit }))
  choose('base-sepolia:usdc')
  expect(edit.mock.lastCall?.[0].payment.payerAddress).toBe(connectedBuyer)
})

test('behavior: without a wallet nobody pays yet', () => {
  const edit = vi.fn()
  mount(
    createCheckout(orders.requiresPayer, { edit }),
    <Wallet>
      <Checkout.PaymentMethod />
    </Wallet>,
  )
  choose('base-sepolia:usdc')
  expect(edit).toHaveBeenCalledExactlyOnceWith({ payment: { method: 'base-sepolia', currency: 'usdc' } })
})

test('behavior: main networks and test networks never mix', () => {
  show(createCheckout(order({ payment: { method: 'base' } })))
  expect(options().map((option) => option.textContent)).toEqual(['ETH on Base', 'USDC on Base'])
})

test('behavior: the order’s own choice is there, known or not', () => {
  show(createCheckout(order({ payment: { method: 'solana', currency: 'SOL' } })))
  expect(select().value).toBe('solana:sol')
  expect(options().at(-1)?.textContent).toBe('SOL on solana')
})

test('parameters: options', () => {
  const edit = vi.fn()
  const choices = [
    { method: 'base-sepolia', currency: 'usdxm' },
    { method: 'base-sepolia', currency: 'usdc' },
  ]
  show(createCheckout(orders.awaitingPaymentNative, { edit }), <Checkout.PaymentMethod options={choices} />)
  expect(options().map((option) => option.textContent)).toEqual([
    'USDXM on Base Sepolia',
    'USDC on Base Sepolia',
    'ETH on Base Sepolia',
  ])
})

test('behavior: shows what is asked for while it is, and falls back when it is refused', () => {
  const at = (changes: Partial<CheckoutValue>) =>
    createCheckout(orders.awaitingPaymentNative, { edit: noChange, ...changes })
  const { show: showNext } = show(at({}))
  choose('base-sepolia:usdc')
  showNext(at({ isEditing: true }))
  expect(select().value).toBe('base-sepolia:usdc')
  showNext(at({}))
  expect(select().value).toBe('base-sepolia:eth')
  // Another part changes the order: the refused choice has nothing to do with it.
  showNext(at({ isEditing: true }))
  expect(select().value).toBe('base-sepolia:eth')
})

describe('behavior: changes nothing, and says so', () => {
  const cases: [OrderName, StepName, Partial<CheckoutValue>][] = [
    ['awaitingPaymentNative', 'awaitingSignature', {}],
    ['awaitingPaymentNative', 'broadcast', {}],
    ['awaitingPaymentNative', 'uncertain', {}],
    ['awaitingPaymentNative', 'idle', { isEditing: true }],
    ['underpaidRefunded', 'idle', {}],
  ]
  test.each(cases)('%s, %s, %j', (name, step, changes) => {
    const edit = vi.fn()
    show(createCheckout(orders[name], { edit, step: steps[step], ...changes }))
    expect(select().getAttribute('aria-disabled')).toBe('true')
    choose('base-sepolia:usdc')
    expect(edit).not.toHaveBeenCalled()
    expect(select().value).toBe('base-sepolia:eth')
  })
})

describe('behavior: absent when there is nothing to choose any more', () => {
  const absent: OrderName[] = ['paymentInProgress', 'delivering', 'completed']
  test.each(absent)('%s', (name) => {
    show(createCheckout(orders[name]))
    expect(screen.queryByRole('combobox')).toBe(null)
  })
})
