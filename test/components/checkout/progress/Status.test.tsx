import { cleanup, screen } from '@testing-library/react'
import { Checkout, type CheckoutValue, getStage, type Order } from 'kassa'
import { describe, expect, test } from 'vitest'
import { item, txId } from '../../../../stories/fixtures/build.js'
import { createCheckout } from '../../../../stories/fixtures/checkout.js'
import { type OrderName, orders } from '../../../../stories/fixtures/orders.js'
import { type StepName, steps } from '../../../../stories/fixtures/steps.js'
import { connectedBuyer, Wallet } from '../../../../stories/fixtures/wallet.js'
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
    const sentence = read(createCheckout(orders[name]))
    if (sentence || getStage(orders[name]) !== 'ready-to-pay')
      expect(sentence).toMatch(/^[A-Z\d].+[.?…]$|^Connect a wallet to pay$/)
  })
  test('none while the order is ready to be paid, which the pay button says', () => {
    expect(read(createCheckout(orders.awaitingPaymentNative))).toBe('')
  })
})

describe('behavior: one sentence for every step', () => {
  test.each(Object.keys(steps) as StepName[])('%s', (name) => {
    const sentence = read(createCheckout(orders.awaitingPaymentNative, { step: steps[name] }))
    expect(sentence === '').toBe(name === 'idle')
    expect(sentence === 'Not paid yet.').toBe(steps[name].status === 'failed')
  })
})

test('behavior: an order that cannot be filled says how many are left', () => {
  const left = (...available: number[]) =>
    createCheckout({
      ...orders.allUnavailable,
      lineItems: available.map((count) =>
        item({ quantity: 100, quote: { status: 'item-unavailable', available: count } }),
      ),
    })
  expect(read(left(99))).toBe('Only 99 left. This order asks for more.')
  cleanup()
  expect(read(left(0))).toBe('Everything in this order is sold out.')
  cleanup()
  expect(read(left(0, 3))).toBe('Only 3 left. This order asks for more.')
  cleanup()
  // Each line item says its own number.
  expect(read(left(2, 3))).toBe('Not available')
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

test('behavior: says that the shop has yet to confirm a paid order, and that a free one is claimed', () => {
  expect(read(createCheckout(orders.waitingForShop))).toBe(
    'Paid. Waiting for the shop to confirm your order.',
  )
  cleanup()
  expect(read(createCheckout(orders.free))).toBe('')
  cleanup()
  expect(read(createCheckout(orders.claimed))).toBe('Claimed. Your order is being delivered.')
})

test('behavior: mentions returned money', () => {
  expect(read(createCheckout(orders.underpaid))).toBe(
    'Part of the price was paid, and 0.022\u00a0ETH is left to pay. If it is not paid in time, that part is sent back.',
  )
  cleanup()
  const { payment } = orders.underpaid
  const expired = { ...orders.expired, payment: { ...payment, ...orders.expired.payment } }
  expect(read(createCheckout(expired))).toContain('is being sent back')
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
  cleanup()
  expect(read(createCheckout(orders.notConfirmed))).toBe(
    'The shop did not confirm this order. Your payment goes back to you. 0.042\u00a0ETH was sent back to you.',
  )
  cleanup()
  expect(read(createCheckout(orders.refundedWhole))).toBe(
    'Delivered. Thank you for your order. 0.042\u00a0ETH was sent back to you.',
  )
})

describe('behavior: mentions returned money at every later stage', () => {
  const { received, refunded } = orders.underpaidRefunded.payment
  const cases: [OrderName, string, (news: string) => string][] = [
    [
      'insufficientFunds',
      'Add funds to your wallet. This page updates automatically.',
      (news) => `Add funds to your wallet. This page updates automatically. ${news}`,
    ],
    // The wallets say it themselves, and the order can be paid from another device, too.
    ['requiresPayer', 'Connect a wallet to pay', (news) => news],
  ]
  test.each(cases)('%s', (name, sentence, withNews) => {
    const after = (payment: Partial<Order['payment']>) =>
      createCheckout({ ...orders[name], payment: { ...orders[name].payment, ...payment } })
    expect(read(after({ received, refunded }))).toBe(withNews('0.02\u00a0ETH was sent back to you.'))
    cleanup()
    expect(read(after({ received }))).toBe(
      withNews('Your payment did not match this order and is being sent back.'),
    )
    cleanup()
    const { amount = '', currency = '' } = refunded ?? {}
    expect(read(after({ received, refundHeld: { amount, currency } }))).toBe(
      withNews('0.02\u00a0ETH was not sent back to you yet. Contact the shop.'),
    )
    cleanup()
    expect(read(after({ received, refundClaimable: refunded }))).toBe(sentence)
  })
  test('and the next payment failed, too', () => {
    const value = createCheckout(orders.underpaidRefunded, { step: steps.rejected })
    expect(read(value)).toBe('0.02\u00a0ETH was sent back to you.')
  })
})

test('behavior: asks for a wallet only while none is connected', () => {
  const value = createCheckout(orders.requiresPayer)
  const parts = (
    <>
      <Checkout.Status />
      <Checkout.Pay />
    </>
  )
  const said = () => [screen.getByRole('status').textContent, screen.getByRole('button').textContent]
  mount(value, <Wallet>{parts}</Wallet>)
  expect(said()).toEqual(['Connect a wallet to pay', 'Connect a wallet to pay'])
  cleanup()
  mount(value, <Wallet account={connectedBuyer}>{parts}</Wallet>)
  expect(said()).toEqual(['Choose the account that pays', 'Choose the account that pays'])
})
