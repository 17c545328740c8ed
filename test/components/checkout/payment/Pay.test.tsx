import { act, fireEvent, screen } from '@testing-library/react'
import { Checkout, type CheckoutValue } from 'kassa'
import { describe, expect, test, vi } from 'vitest'
import { order } from '../../../../stories/fixtures/build.js'
import { createCheckout } from '../../../../stories/fixtures/checkout.js'
import { type OrderName, orders } from '../../../../stories/fixtures/orders.js'
import { type StepName, steps } from '../../../../stories/fixtures/steps.js'
import { describeConformance } from '../../../conformance.js'
import { mount } from '../../mount.js'

describeConformance({
  name: 'Pay',
  part: (props) => <Checkout.Pay {...props} />,
  value: createCheckout(orders.awaitingPaymentNative, { step: steps.awaitingSignature }),
  tag: 'button',
  data: { 'data-stage': 'ready-to-pay', 'data-step': 'awaiting-signature', 'data-pending': '' },
})

const spies = () => ({ pay: vi.fn(), reset: vi.fn(), refresh: vi.fn() })

const press = (value: CheckoutValue) => {
  mount(value, <Checkout.Pay />)
  fireEvent.click(screen.getByRole('button'))
}

const readyToPay = orders.awaitingPaymentNative
const total = { amount: '0.042', currency: 'eth' }

test('default', () => {
  const actions = spies()
  press(createCheckout(readyToPay, actions))
  expect(screen.getByRole('button').textContent).toBe('Pay 0.042\u00a0ETH')
  expect(screen.getByRole('button').getAttribute('type')).toBe('button')
  expect(actions.pay).toHaveBeenCalledExactlyOnceWith({ total })
  expect(actions.refresh).not.toHaveBeenCalled()
})

test('behavior: an order that costs nothing is claimed', () => {
  const actions = spies()
  press(createCheckout(orders.free, actions))
  expect(screen.getByRole('button').textContent).toBe('Claim')
  expect(actions.pay).toHaveBeenCalledExactlyOnceWith({ total: { amount: '0', currency: 'eth' } })
})

test('behavior: preventDefault in the caller’s handler stops the payment', () => {
  const actions = spies()
  mount(createCheckout(readyToPay, actions), <Checkout.Pay onClick={(event) => event.preventDefault()} />)
  fireEvent.click(screen.getByRole('button'))
  expect(actions.pay).not.toHaveBeenCalled()
})

describe('behavior: what a press does', () => {
  const cases: [OrderName, StepName, string, 'pay' | 'accept' | 'refresh' | undefined][] = [
    ['awaitingPaymentNative', 'rejected', 'Pay 0.042\u00a0ETH', 'pay'],
    ['awaitingPaymentNative', 'quoteExpired', 'Get a new price', 'refresh'],
    ['awaitingPaymentNative', 'priceChanged', 'Accept 0.042\u00a0ETH', 'accept'],
    ['expired', 'priceChanged', 'Get a new price', 'refresh'],
    ['insufficientFunds', 'priceChanged', 'Not enough ETH', undefined],
    ['awaitingPaymentNative', 'uncertain', 'Pay again', 'pay'],
    ['awaitingPaymentNative', 'dropped', 'Pay again', 'pay'],
    ['expired', 'uncertain', 'Pay again', 'pay'],
    ['expired', 'dropped', 'Pay again', 'pay'],
    ['paymentInProgress', 'uncertain', 'Confirming payment…', undefined],
    ['awaitingPaymentNative', 'reverted', 'Pay 0.042\u00a0ETH', 'pay'],
    ['awaitingPaymentNative', 'cancelled', 'Pay 0.042\u00a0ETH', 'pay'],
    ['awaitingPaymentNative', 'replaced', 'Pay 0.042\u00a0ETH', 'pay'],
    ['awaitingPaymentNative', 'wouldRevert', 'Pay 0.042\u00a0ETH', 'pay'],
    ['awaitingPaymentNative', 'vetoed', 'Pay 0.042\u00a0ETH', 'pay'],
    ['awaitingPaymentNative', 'notPayable', 'Pay 0.042\u00a0ETH', 'pay'],
    ['awaitingPaymentNative', 'preparationInvalid', 'Payment stopped', undefined],
    ['awaitingPaymentNative', 'amountMismatch', 'Payment stopped', undefined],
    ['awaitingPaymentNative', 'chainMismatch', 'Payment stopped', undefined],
    ['awaitingPaymentNative', 'tokenUnknown', 'Payment stopped', undefined],
    ['awaitingPaymentNative', 'tokenMismatch', 'Payment stopped', undefined],
    ['awaitingPaymentNative', 'recipientMismatch', 'Payment stopped', undefined],
    ['awaitingPaymentNative', 'callNotAllowed', 'Payment stopped', undefined],
    ['awaitingPaymentNative', 'chainNotConfigured', 'Payment stopped', undefined],
    ['expired', 'recipientMismatch', 'Get a new price', 'refresh'],
    ['requiresPayer', 'recipientMismatch', 'Connect a wallet to pay', undefined],
    ['awaitingPaymentNative', 'connecting', 'Connecting…', undefined],
    ['awaitingPaymentNative', 'switchingChain', 'Switching network…', undefined],
    ['awaitingPaymentNative', 'checking', 'Checking the payment…', undefined],
    ['awaitingPaymentNative', 'awaitingSignature', 'Confirm in your wallet…', undefined],
    ['awaitingPaymentNative', 'broadcast', 'Confirming payment…', undefined],
    ['awaitingPaymentNative', 'confirming', 'Confirming payment…', undefined],
    ['awaitingPaymentNative', 'paid', 'Confirming payment…', undefined],
    ['expired', 'idle', 'Get a new price', 'refresh'],
    ['expired', 'awaitingSignature', 'Confirm in your wallet…', undefined],
    ['underpaid', 'idle', 'Pay 0.022\u00a0ETH', 'pay'],
    ['underpaidRefunded', 'paid', 'Get a new price', 'refresh'],
    ['requiresRecipient', 'idle', 'Pay', undefined],
    ['requiresPayer', 'idle', 'Connect a wallet to pay', undefined],
    ['insufficientFunds', 'idle', 'Not enough ETH', undefined],
    ['insufficientFundsForGas', 'idle', 'Not enough for the network fee', undefined],
    ['allUnavailable', 'idle', 'Not available', undefined],
    ['paymentInProgress', 'idle', 'Confirming payment…', undefined],
    ['paymentFailed', 'idle', 'Payment failed', undefined],
    ['delivering', 'confirming', 'Paid', undefined],
    ['completed', 'paid', 'Paid', undefined],
    ['completedWithFailure', 'idle', 'Paid', undefined],
    ['unknownFutureState', 'idle', 'Pay 0.042\u00a0ETH', undefined],
  ]
  test.each(cases)('%s, %s: %s', (orderName, stepName, label, action) => {
    const actions = spies()
    press(createCheckout(orders[orderName], { ...actions, step: steps[stepName] }))
    const button = screen.getByRole('button')
    expect(button.textContent).toBe(label)
    expect(button.getAttribute('aria-disabled')).toBe(action ? null : 'true')
    expect(button.hasAttribute('disabled')).toBe(false)
    expect(actions.pay).toHaveBeenCalledTimes(action === 'pay' ? 1 : 0)
    expect(actions.refresh).toHaveBeenCalledTimes(action === 'refresh' ? 1 : 0)
    expect(actions.reset).toHaveBeenCalledTimes(action === 'refresh' || action === 'accept' ? 1 : 0)
  })
})

test('behavior: an uncertain payment is made again only as the buyer’s own choice', () => {
  const actions = spies()
  press(createCheckout(readyToPay, { ...actions, step: steps.uncertain }))
  expect(screen.getByRole('button').textContent).toBe('Pay again')
  expect(actions.pay).toHaveBeenCalledExactlyOnceWith({ total, isAgain: true })
})

test('behavior: a press pays the price that stood on the button, or nothing', () => {
  const actions = spies()
  const dearer = order({ quote: { totalPrice: { amount: '0.05', currency: 'eth' } } })
  const priceChanged = { ...actions, step: steps.priceChanged }
  const { show } = mount(createCheckout(readyToPay, actions), <Checkout.Pay />)
  const button = screen.getByRole('button')
  show(createCheckout(dearer, priceChanged))
  expect(button.textContent).toBe('Accept 0.05\u00a0ETH')
  fireEvent.click(button)
  expect(actions.pay).not.toHaveBeenCalled()
  expect(actions.reset).toHaveBeenCalledTimes(1)
  show(createCheckout(dearer, actions))
  expect(button.textContent).toBe('Pay 0.05\u00a0ETH')
  fireEvent.click(button)
  expect(actions.pay).toHaveBeenCalledExactlyOnceWith({ total: { amount: '0.05', currency: 'eth' } })
})

describe('behavior: the second half of a double click does what the first did, or nothing', () => {
  const doubleClick = (first: StepName, second: StepName) => {
    const actions = spies()
    const at = (name: StepName) => createCheckout(readyToPay, { ...actions, step: steps[name] })
    const { show } = mount(at(first), <Checkout.Pay />)
    const button = screen.getByRole('button')
    fireEvent.click(button, { detail: 1 })
    show(at(second))
    fireEvent.click(button, { detail: 2 })
    const atOnce = actions.pay.mock.calls.length
    fireEvent.click(button, { detail: 1 })
    return [atOnce, actions.pay.mock.calls.length]
  }

  test('it accepts a price and does not pay it', () => {
    expect(doubleClick('priceChanged', 'idle')).toEqual([0, 1])
  })
  test('it pays and does not pay again', () => {
    expect(doubleClick('idle', 'uncertain')).toEqual([1, 2])
  })
  test('nor does the third click of an impatient buyer', () => {
    const actions = spies()
    const at = (name: StepName) => createCheckout(readyToPay, { ...actions, step: steps[name] })
    const { show } = mount(at('idle'), <Checkout.Pay />)
    const button = screen.getByRole('button')
    fireEvent.click(button, { detail: 1 })
    show(at('uncertain'))
    fireEvent.click(button, { detail: 2 })
    fireEvent.click(button, { detail: 3 })
    expect(actions.pay).toHaveBeenCalledExactlyOnceWith({ total: { amount: '0.042', currency: 'eth' } })
  })
  test('it pays after a refusal that came at once', () => {
    expect(doubleClick('idle', 'rejected')).toEqual([2, 3])
  })
})

test('behavior: a key that is held presses once', () => {
  mount(createCheckout(readyToPay), <Checkout.Pay />)
  const button = screen.getByRole('button')
  // fireEvent tells whether the default, the click, may happen.
  expect(fireEvent.keyDown(button, { key: 'Enter' })).toBe(true)
  expect(fireEvent.keyDown(button, { key: 'Enter', repeat: true })).toBe(false)
  expect(fireEvent.keyDown(button, { key: 'Tab', repeat: true })).toBe(true)
})

test('behavior: a payment that can never be right stays stopped until there is another quote', () => {
  const actions = spies()
  const stopped = { ...actions, step: steps.recipientMismatch }
  const { show } = mount(createCheckout(readyToPay, stopped), <Checkout.Pay />)
  const button = screen.getByRole('button')
  show(createCheckout({ ...readyToPay }, stopped))
  expect(button.textContent).toBe('Payment stopped')
  const quotedAt = '2026-03-02T12:04:00.000Z'
  show(createCheckout({ ...readyToPay, quote: { ...readyToPay.quote, quotedAt } }, stopped))
  expect(button.textContent).toBe('Pay 0.042\u00a0ETH')
  fireEvent.click(button)
  expect(actions.pay).toHaveBeenCalledTimes(1)
  show(
    createCheckout(
      { ...readyToPay, quote: { ...readyToPay.quote, quotedAt } },
      { ...actions, step: { ...steps.recipientMismatch } },
    ),
  )
  expect(button.textContent).toBe('Payment stopped')
})

test('behavior: an expired price cannot be renewed where the caller gives no way to', () => {
  press(createCheckout(orders.expired, { refresh: undefined }))
  expect(screen.getByRole('button').textContent).toBe('This quote has expired.')
  expect(screen.getByRole('button').getAttribute('aria-disabled')).toBe('true')
})

test('behavior: a new price on its way is waited for', () => {
  const actions = spies()
  press(createCheckout(orders.expired, { ...actions, isRefreshing: true }))
  expect(screen.getByRole('button').textContent).toBe('One moment…')
  expect(actions.refresh).not.toHaveBeenCalled()
})

test('behavior: a change on its way is waited for: it may bring another price, or another currency', () => {
  const actions = spies()
  press(createCheckout(readyToPay, { ...actions, isEditing: true }))
  expect(screen.getByRole('button').textContent).toBe('One moment…')
  expect(screen.getByRole('button').getAttribute('aria-disabled')).toBe('true')
  expect(actions.pay).not.toHaveBeenCalled()
})

test('behavior: keeps the focus while a payment is under way', () => {
  const { show } = mount(createCheckout(readyToPay), <Checkout.Pay />)
  const button = screen.getByRole('button')
  act(() => button.focus())
  show(createCheckout(readyToPay, { step: steps.awaitingSignature }))
  expect(document.activeElement).toBe(button)
})

test('behavior: the price that runs out on the clock cannot be paid any more', () => {
  const actions = spies()
  const nowMs = Date.parse('2026-03-02T12:10:00.000Z')
  press(createCheckout(order(), { ...actions, nowMs }))
  expect(actions.pay).not.toHaveBeenCalled()
  expect(actions.refresh).toHaveBeenCalledTimes(1)
})
