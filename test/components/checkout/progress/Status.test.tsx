import { cleanup, screen } from '@testing-library/react'
import { Checkout, type CheckoutValue, type Order } from 'kassa'
import { describe, expect, test } from 'vitest'
import { txId } from '../../../../stories/fixtures/build.js'
import { createCheckout } from '../../../../stories/fixtures/checkout.js'
import { type OrderName, orders } from '../../../../stories/fixtures/orders.js'
import { type StepName, steps } from '../../../../stories/fixtures/steps.js'
import { describeConformance } from '../../../conformance.js'
import { mount } from '../../mount.js'

describeConformance({
  name: 'Status',
  part: (props) => <Checkout.Status {...props} />,
  value: createCheckout(orders.delivering, { step: steps.paid }),
  tag: 'output',
  data: { 'data-stage': 'delivering', 'data-step': 'paid' },
})

const read = (value: CheckoutValue) => {
  mount(value, <Checkout.Status />)
  return screen.getByRole('status').textContent
}

test('default', () => {
  expect(read(createCheckout(orders.delivering))).toBe('Paid. Your order is being delivered.')
  expect(screen.getByRole('status').getAttribute('aria-live')).toBe('polite')
})

describe('behavior: one sentence for every order', () => {
  test.each(Object.keys(orders) as OrderName[])('%s', (name) => {
    expect(read(createCheckout(orders[name]))).toMatch(/^[A-Z\d].+[.?…]$|^Connect a wallet to pay$/)
  })
})

describe('behavior: one sentence for every step', () => {
  test.each(Object.keys(steps) as StepName[])('%s', (name) => {
    const sentence = read(createCheckout(orders.awaitingPaymentNative, { step: steps[name] }))
    expect(sentence === 'Ready to pay.').toBe(name === 'idle')
    expect(sentence === 'Not paid yet.').toBe(steps[name].status === 'failed')
  })
})

test('behavior: a reported payment that no network knows is said to be missing', () => {
  expect(read(createCheckout(orders.paymentNotFound))).toBe(
    'We can’t find your payment. Check your wallet, and pay again only if nothing was sent.',
  )
})

test('behavior: what the service has seen goes before what the wallet said', () => {
  expect(read(createCheckout(orders.partlyDelivered, { step: steps.confirming }))).toBe(
    'Paid. 1 of 2 delivered.',
  )
})

describe('behavior: what the alert says is not said again', () => {
  const cases: [OrderName, StepName, string][] = [
    ['expired', 'quoteExpired', 'Not paid yet.'],
    ['insufficientFunds', 'insufficientFunds', 'Not paid yet.'],
    ['insufficientFundsForGas', 'insufficientFundsForGas', 'Not paid yet.'],
    ['awaitingPaymentNative', 'priceChanged', 'Not paid yet.'],
    ['awaitingPaymentNative', 'uncertain', 'Confirming payment…'],
    ['awaitingPaymentNative', 'dropped', 'Confirming payment…'],
    ['requiresPayer', 'notPayable', 'Connect a wallet to pay'],
    ['expired', 'rejected', 'This quote has expired.'],
  ]
  test.each(cases)('%s, %s: %s', (orderName, stepName, sentence) => {
    expect(read(createCheckout(orders[orderName], { step: steps[stepName] }))).toBe(sentence)
  })
})

test('behavior: a sentence that stays the same is not written again', () => {
  const { show } = mount(
    createCheckout(orders.awaitingPaymentNative, { step: steps.broadcast }),
    <Checkout.Status />,
  )
  const observer = new MutationObserver(() => {})
  observer.observe(screen.getByRole('status'), { childList: true, characterData: true, subtree: true })
  show(createCheckout(orders.awaitingPaymentNative, { step: { status: 'broadcast', txId: txId('e') } }))
  show(
    createCheckout({ ...orders.awaitingPaymentNative }, { step: { status: 'broadcast', txId: txId('e') } }),
  )
  expect(observer.takeRecords()).toEqual([])
  show(createCheckout(orders.awaitingPaymentNative, { step: steps.confirming }))
  expect(observer.takeRecords()).toEqual([])
  show(createCheckout(orders.awaitingPaymentNative, { step: steps.rejected }))
  expect(observer.takeRecords()).not.toEqual([])
  observer.disconnect()
})

test('behavior: mentions returned money', () => {
  expect(read(createCheckout(orders.underpaid))).toContain('is being sent back')
  cleanup()
  expect(read(createCheckout(orders.underpaidRefunded))).toMatch(/^[\d.]+\u00a0ETH was sent back to you\.$/)
  cleanup()
  expect(read(createCheckout(orders.completedWithFailure))).toBe(
    '1 of 2 could not be delivered. 0.03\u00a0ETH was sent back to you.',
  )
  cleanup()
  expect(read(createCheckout(orders.excessRefunded))).toBe(
    'Delivered. Thank you for your order. 0.008\u00a0ETH was sent back to you.',
  )
})

describe('behavior: mentions returned money at every later stage', () => {
  const { received, refunded } = orders.underpaidRefunded.payment
  const cases: [OrderName, string][] = [
    ['insufficientFunds', 'Add funds to your wallet. This page updates automatically.'],
    ['requiresPayer', 'Connect a wallet to pay'],
  ]
  test.each(cases)('%s', (name, sentence) => {
    const after = (payment: Partial<Order['payment']>) =>
      createCheckout({ ...orders[name], payment: { ...orders[name].payment, ...payment } })
    expect(read(after({ received, refunded }))).toBe(`${sentence} 0.02\u00a0ETH was sent back to you.`)
    cleanup()
    expect(read(after({ received }))).toBe(
      `${sentence} Your payment did not match this order and is being sent back.`,
    )
    cleanup()
    for (const held of [{ refundHeld: refunded }, { refundClaimable: refunded }]) {
      expect(read(after({ received, ...held }))).toBe(sentence)
      cleanup()
    }
  })
  test('and the next payment failed, too', () => {
    const value = createCheckout(orders.underpaidRefunded, { step: steps.rejected })
    expect(read(value)).toBe('0.02\u00a0ETH was sent back to you.')
  })
})
