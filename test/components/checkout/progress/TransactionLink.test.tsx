import { screen } from '@testing-library/react'
import { Checkout, type CheckoutValue } from 'kassa'
import type { ReactElement } from 'react'
import { baseSepolia } from 'viem/chains'
import { describe, expect, test } from 'vitest'
import { txId } from '../../../../stories/fixtures/build.js'
import { createCheckout } from '../../../../stories/fixtures/checkout.js'
import { orders } from '../../../../stories/fixtures/orders.js'
import { steps } from '../../../../stories/fixtures/steps.js'
import { Wallet } from '../../../../stories/fixtures/wallet.js'
import { describeConformance } from '../../../conformance.js'
import { mount } from '../../mount.js'

describeConformance({
  name: 'TransactionLink',
  part: (props) => (
    <Wallet>
      {/* Nowhere, for it is pressed. */}
      <Checkout.TransactionLink href="#" target="_self" {...props} />
    </Wallet>
  ),
  value: createCheckout(orders.completed),
  tag: 'a',
  data: { 'data-tx-id': txId('d'), 'data-chain': 'base-sepolia' },
})

const explorer = baseSepolia.blockExplorers.default.url

const show = (value: CheckoutValue, part: ReactElement, url?: string) => {
  mount(value, <Wallet explorer={url}>{part}</Wallet>)
  return screen.queryByRole<HTMLAnchorElement>('link')
}

test('default', () => {
  const link = show(
    createCheckout(orders.completed),
    <ul>
      <Checkout.Item index={1}>
        <Checkout.TransactionLink />
      </Checkout.Item>
    </ul>,
  )
  expect(link?.href).toBe(`${explorer}/tx/${txId('d')}`)
  expect(link?.textContent).toBe('View mint')
  expect(link?.target).toBe('_blank')
  expect(link?.rel).toBe('noreferrer')
})

describe('parameters: of', () => {
  const confirming = createCheckout(orders.awaitingPaymentNative, { step: steps.confirming })
  test('the payment that the service has seen', () => {
    const link = show(createCheckout(orders.completedWithFailure), <Checkout.TransactionLink of="payment" />)
    expect(link?.href).toBe(`${explorer}/tx/${txId('a')}`)
    expect(link?.textContent).toBe('View payment')
  })
  test('the payment that only this browser knows of', () => {
    expect(show(confirming, <Checkout.TransactionLink of="payment" />)?.href).toContain(txId('a'))
  })
  test('the refund', () => {
    const link = show(createCheckout(orders.completedWithFailure), <Checkout.TransactionLink of="refund" />)
    expect(link?.href).toBe(`${explorer}/tx/${txId('b')}`)
    expect(link?.textContent).toBe('View refund')
  })
})

test('parameters: txId and chain', () => {
  const link = show(
    createCheckout(orders.awaitingPaymentNative),
    <Checkout.TransactionLink txId="0x12/34" chain="base" />,
  )
  expect(link?.href).toBe('https://basescan.org/tx/0x12%2F34')
  expect(link?.textContent).toBe('View transaction')
})

describe('behavior: absent', () => {
  const value = createCheckout(orders.completed)
  test('without a transaction', () => {
    expect(show(createCheckout(orders.delivering), <Checkout.TransactionLink />)).toBe(null)
    expect(show(value, <Checkout.TransactionLink of="refund" />)).toBe(null)
  })
  test('on a chain the app does not configure', () => {
    expect(show(value, <Checkout.TransactionLink chain="optimism" />)).toBe(null)
    expect(show(value, <Checkout.TransactionLink chain="solana" />)).toBe(null)
    expect(show(value, <Checkout.TransactionLink chain="constructor" />)).toBe(null)
  })
  test('where no wagmi is around it', () => {
    mount(value, <Checkout.TransactionLink />)
    expect(screen.queryByRole('link')).toBe(null)
  })
})

describe('behavior: only web pages are led to', () => {
  test.each([
    ['https://explorer.example/', 'https://explorer.example/tx/'],
    ['http://127.0.0.1:4000', 'http://127.0.0.1:4000/tx/'],
    ['javascript:alert(1)//', undefined],
    ['explorer.example', undefined],
  ])('%s', (url, start) => {
    const href = show(createCheckout(orders.completed), <Checkout.TransactionLink />, url)?.href
    expect(href).toBe(start && `${start}${txId('d')}`)
  })
})
