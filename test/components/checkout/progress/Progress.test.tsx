import { screen } from '@testing-library/react'
import { Checkout } from 'kassa'
import { describe, expect, test } from 'vitest'
import { messages as german } from '../../../../src/locales/de-DE.js'
import { messages as chinese } from '../../../../src/locales/zh-CN.js'
import { createCheckout } from '../../../../stories/fixtures/checkout.js'
import { type OrderName, orders } from '../../../../stories/fixtures/orders.js'
import { type StepName, steps } from '../../../../stories/fixtures/steps.js'
import { describeConformance } from '../../../conformance.js'
import { mount } from '../../mount.js'

describeConformance({
  name: 'Progress',
  takesList: true,
  part: (props) => <Checkout.Progress {...props} />,
  value: createCheckout(orders.awaitingPaymentNative, { step: steps.rejected }),
  tag: 'ol',
  data: { 'data-step': 'wallet', 'data-failed': '' },
})

test('behavior: says that it is a list, which some screen readers do not believe one without marks', () => {
  mount(createCheckout(orders.partlyDelivered), <Checkout.Progress />)
  expect(screen.getByRole('list').getAttribute('role')).toBe('list')
})

test('default', () => {
  mount(createCheckout(orders.awaitingPaymentNative, { step: steps.broadcast }), <Checkout.Progress />)
  expect(screen.getAllByRole('listitem').map((line) => line.textContent)).toEqual([
    'Confirm in your wallet',
    'Confirming payment…',
    'On its way',
    'Delivered',
  ])
  expect(screen.getAllByRole('listitem').map((line) => line.getAttribute('aria-current'))).toEqual([
    null,
    'step',
    null,
    null,
  ])
})

test('behavior: a claimed order has no steps of a payment', () => {
  const { unmount } = mount(createCheckout(orders.free), <Checkout.Progress />)
  expect(screen.queryByRole('list')).toBeNull()
  unmount()
  mount(createCheckout(orders.claimed), <Checkout.Progress />)
  expect(screen.getAllByRole('listitem').map((line) => line.textContent)).toEqual(['On its way', 'Delivered'])
})

test('behavior: goods that wait for the shop are not on their way', () => {
  mount(createCheckout(orders.waitingForShop), <Checkout.Progress />)
  const lines = screen.getAllByRole('listitem').map((line) => line.textContent)
  expect(lines.slice(2)).toEqual(['Waiting for the shop', 'Delivered'])
})

test('behavior: what is over or to come does not trail off, in any language', () => {
  const open = { step: steps.broadcast }
  for (const messages of [german, chinese]) {
    const { unmount } = mount(
      createCheckout(orders.awaitingPaymentNative, { ...open, messages }),
      <Checkout.Progress />,
    )
    const [wallet, network] = screen.getAllByRole('listitem').map(({ textContent }) => textContent)
    expect(wallet).not.toMatch(/[\s…]$/)
    expect(network).toMatch(/…$/)
    unmount()
  }
})

describe('behavior: how far it is', () => {
  const cases: [OrderName, StepName, string][] = [
    ['awaitingPaymentNative', 'connecting', 'current waiting waiting waiting'],
    ['awaitingPaymentNative', 'switchingChain', 'current waiting waiting waiting'],
    ['awaitingPaymentNative', 'checking', 'current waiting waiting waiting'],
    ['awaitingPaymentNative', 'awaitingSignature', 'current waiting waiting waiting'],
    ['awaitingPaymentNative', 'rejected', 'failed waiting waiting waiting'],
    ['awaitingPaymentNative', 'broadcast', 'done current waiting waiting'],
    ['awaitingPaymentNative', 'confirming', 'done current waiting waiting'],
    ['awaitingPaymentNative', 'uncertain', 'done current waiting waiting'],
    ['awaitingPaymentNative', 'paid', 'done current waiting waiting'],
    ['awaitingPaymentNative', 'reverted', 'done failed waiting waiting'],
    ['awaitingPaymentNative', 'cancelled', 'done failed waiting waiting'],
    ['paymentInProgress', 'idle', 'done current waiting waiting'],
    ['paymentFailed', 'idle', 'done failed waiting waiting'],
    ['delivering', 'paid', 'done done current waiting'],
    ['partlyDelivered', 'idle', 'done done current waiting'],
    ['completed', 'idle', 'done done done done'],
    ['completedWithFailure', 'idle', 'done done failed waiting'],
    ['nothingDelivered', 'idle', 'done done failed waiting'],
  ]
  test.each(cases)('%s, %s: %s', (name, step, statuses) => {
    mount(createCheckout(orders[name], { step: steps[step] }), <Checkout.Progress />)
    expect(
      screen
        .getAllByRole('listitem')
        .map(({ dataset }) => dataset.status)
        .join(' '),
    ).toBe(statuses)
  })
})

describe('behavior: absent before the wallet was asked', () => {
  const absent: OrderName[] = ['awaitingPaymentNative', 'requiresRecipient', 'expired', 'underpaidRefunded']
  test.each(absent)('%s', (name) => {
    mount(createCheckout(orders[name]), <Checkout.Progress />)
    expect(screen.queryByRole('list')).toBe(null)
  })
})

test('parameters: children, a function of the steps', () => {
  mount(
    createCheckout(orders.delivering),
    <Checkout.Progress>
      {(all) =>
        all.map(({ name, status }) => (
          <li key={name}>
            {name} {status}
          </li>
        ))
      }
    </Checkout.Progress>,
  )
  expect(screen.getAllByRole('listitem').map((line) => line.textContent)).toEqual([
    'wallet done',
    'network done',
    'delivery current',
    'done waiting',
  ])
})
