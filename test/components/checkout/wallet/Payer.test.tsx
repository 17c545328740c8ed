import { fireEvent, screen, waitFor } from '@testing-library/react'
import { Checkout, type CheckoutValue } from 'kassa'
import { describe, expect, test, vi } from 'vitest'
import { createCheckout } from '../../../../stories/fixtures/checkout.js'
import { type OrderName, orders } from '../../../../stories/fixtures/orders.js'
import { type StepName, steps } from '../../../../stories/fixtures/steps.js'
import { connectedBuyer, stranger, Wallet } from '../../../../stories/fixtures/wallet.js'
import { describeConformance } from '../../../conformance.js'
import { mount } from '../../mount.js'

const edit = () => {}

describeConformance({
  name: 'Payer',
  part: (props) => (
    <Wallet account={connectedBuyer}>
      <Checkout.Payer {...props} />
    </Wallet>
  ),
  value: createCheckout(orders.awaitingPaymentNative, { edit }),
  tag: 'button',
  data: { 'data-address': connectedBuyer, 'data-payer': '' },
})
describeConformance({
  name: 'Disconnect',
  part: (props) => (
    <Wallet account={connectedBuyer}>
      <Checkout.Disconnect {...props} />
    </Wallet>
  ),
  value: createCheckout(orders.awaitingPaymentNative, { step: steps.checking }),
  tag: 'button',
  data: { 'data-paying': '' },
})

const show = (value: CheckoutValue, account: typeof connectedBuyer | undefined = connectedBuyer) =>
  mount(
    value,
    <Wallet account={account}>
      <Checkout.Payer />
      <Checkout.Disconnect />
    </Wallet>,
  )
const button = () => screen.getByRole('button', { name: /0x/ })

describe('Payer', () => {
  test('default', () => {
    const edit = vi.fn()
    show(createCheckout(orders.requiresPayer, { edit }))
    expect(button().textContent).toBe('Use 0x9f3B…E5F6')
    expect(button().title).toBe(connectedBuyer)
    fireEvent.click(button())
    const payment = { method: 'base-sepolia', currency: 'eth', payerAddress: connectedBuyer }
    expect(edit).toHaveBeenCalledExactlyOnceWith({ payment })
  })

  test('behavior: another account than the payer’s takes over', () => {
    const edit = vi.fn()
    show(createCheckout(orders.awaitingPaymentNative, { edit }), stranger)
    expect(button().dataset.payer).toBe(undefined)
    fireEvent.click(button())
    expect(edit.mock.lastCall?.[0].payment.payerAddress).toBe(stranger)
  })

  describe('behavior: does nothing, and says so', () => {
    const cases: [OrderName, StepName, Partial<CheckoutValue>][] = [
      ['awaitingPaymentNative', 'idle', {}],
      ['requiresPayer', 'awaitingSignature', {}],
      ['requiresPayer', 'uncertain', {}],
      ['requiresPayer', 'idle', { isEditing: true }],
      ['underpaid', 'idle', {}],
    ]
    test.each(cases)('%s, %s, %j', (name, step, changes) => {
      const edit = vi.fn()
      show(createCheckout(orders[name], { edit, step: steps[step], ...changes }))
      expect(button().getAttribute('aria-disabled')).toBe('true')
      fireEvent.click(button())
      expect(edit).not.toHaveBeenCalled()
    })
    test('where the caller gives no way to', () => {
      show(createCheckout(orders.requiresPayer))
      expect(button().getAttribute('aria-disabled')).toBe('true')
    })
  })
})

test('behavior: an order with a part of its price takes no other payer, so none is offered', () => {
  show(createCheckout(orders.underpaid, { edit }), stranger)
  expect(button().textContent).toMatch(/^0x/)
})

describe('Disconnect', () => {
  const other = () => screen.getByRole('button', { name: 'Use another wallet' })

  test('default', async () => {
    show(createCheckout(orders.requiresPayer))
    fireEvent.click(other())
    await waitFor(() => expect(screen.queryAllByRole('button')).toEqual([]))
  })

  test('behavior: keeps the wallet while a payment needs it', async () => {
    const { show: showNext } = show(createCheckout(orders.awaitingPaymentNative, { step: steps.checking }))
    expect(other().getAttribute('aria-disabled')).toBe('true')
    fireEvent.click(other())
    showNext(createCheckout(orders.awaitingPaymentNative))
    expect(other().getAttribute('aria-disabled')).toBe(null)
  })
})

describe('behavior: both absent', () => {
  test('without a wallet', () => {
    mount(
      createCheckout(orders.requiresPayer),
      <Wallet>
        <Checkout.Payer />
        <Checkout.Disconnect />
      </Wallet>,
    )
    expect(screen.queryAllByRole('button')).toEqual([])
  })
  const absent: OrderName[] = ['paymentInProgress', 'completed']
  test.each(absent)('%s', (name) => {
    show(createCheckout(orders[name]))
    expect(screen.queryAllByRole('button')).toEqual([])
  })
})
