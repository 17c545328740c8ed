import { screen } from '@testing-library/react'
import { Checkout, type CheckoutValue } from 'kassa'
import { http } from 'viem'
import { polygonAmoy } from 'viem/chains'
import { describe, expect, test } from 'vitest'
import { createConfig, WagmiProvider } from 'wagmi'
import { apiError, payError } from '../../../../src/errors/index.js'
import { createCheckout } from '../../../../stories/fixtures/checkout.js'
import { orders } from '../../../../stories/fixtures/orders.js'
import { type StepName, steps } from '../../../../stories/fixtures/steps.js'
import { describeConformance } from '../../../conformance.js'
import { mount } from '../../mount.js'
import { send, settle, write, wrongOf } from '../../writeForm.js'

const away = apiError('api.unreachable', { url: 'http://127.0.0.1:4000/api' })

describeConformance({
  name: 'Error',
  part: (props) => <Checkout.Error {...props} />,
  value: createCheckout(undefined, { error: away }),
  tag: 'div',
  data: {
    'data-code': 'api.unreachable',
    'data-message': 'The shop cannot be reached. Your order is safe.',
    'data-retryable': '',
    'data-remedy': 'retry',
  },
})

test('default', () => {
  mount(createCheckout(orders.awaitingPaymentNative, { step: steps.rejected }), <Checkout.Error />)
  expect(screen.getByRole('alert').textContent).toBe('Declined in the wallet. Nothing was sent.')
})

describe('behavior: says to a buyer what happened, with what is known of it', () => {
  const cases: [StepName, string][] = [
    ['priceChanged', 'The price has changed to 0.042 ETH.'],
    ['wrongAccount', 'Switch your wallet to the account 0x9F3b…E5F6.'],
    ['wrongChain', 'Switch your wallet to Base Sepolia.'],
    ['vetoed', 'Please accept the terms of sale first.'],
    ['reverted', 'The network rejected the payment. You paid only its fee.'],
    ['replaced', 'The payment was cancelled in the wallet. Nothing was paid.'],
    ['recipientMismatch', 'This payment does not match your order. Nothing was sent. Contact the shop.'],
  ]
  test.each(cases)('%s: %s', (step, sentence) => {
    mount(createCheckout(orders.awaitingPaymentNative, { step: steps[step] }), <Checkout.Error />)
    expect(screen.getByRole('alert').textContent).toBe(sentence)
  })
})

test('behavior: calls a chain as the app does', () => {
  const config = createConfig({
    chains: [{ ...polygonAmoy, name: 'Amoy of ours' }],
    transports: { [polygonAmoy.id]: http() },
  })
  mount(
    createCheckout(orders.awaitingPaymentNative, {
      step: { status: 'failed', error: payError('pay.wrong-chain', { expected: 'polygon-amoy' }) },
    }),
    <WagmiProvider config={config} reconnectOnMount={false}>
      <Checkout.Error />
    </WagmiProvider>,
  )
  expect(screen.getByRole('alert').textContent).toBe('Switch your wallet to Amoy of ours.')
})

test('behavior: the payment’s error goes before the service’s', () => {
  mount(
    createCheckout(orders.awaitingPaymentNative, { step: steps.rejected, error: away }),
    <Checkout.Error />,
  )
  expect(screen.getByRole('alert').dataset.code).toBe('pay.rejected')
})

describe('behavior: a change that was refused', () => {
  const refuse = (message: string, order = orders.awaitingPaymentNative) =>
    createCheckout(order, { editError: apiError('api.bad-request', { status: 400, message }) })

  test('is shown', () => {
    mount(refuse('payment.currency: dai is not known on base-sepolia'), <Checkout.Error />)
    expect(screen.getByRole('alert').textContent).toBe('The shop does not accept this.')
  })
  describe('for a field', () => {
    const message = 'payment.receiptEmail: expected an e-mail address'
    const parts = (
      <>
        <Checkout.EmailForm />
        <Checkout.Error />
      </>
    )
    const at = (changes: Partial<CheckoutValue>) =>
      createCheckout(orders.requiresEmail, { edit: () => {}, ...changes })

    test('is left to the form that sent it, while that is there', async () => {
      const { container, show } = mount(at({}), parts)
      write({ 'E-mail': 'ada@example.com' })
      send()
      show(at({ isEditing: true }))
      const added: Node[] = []
      const observer = new MutationObserver((records) => {
        added.push(...records.flatMap(({ addedNodes }) => [...addedNodes]))
      })
      observer.observe(container, { childList: true, subtree: true })
      const { editError } = refuse(message)
      show(at({ editError }))
      await settle()
      expect(wrongOf('E-mail')).toBe('The shop does not accept this.')
      expect(screen.queryByRole('alert')).toBe(null)
      // A screen reader would have read one that was there for a moment only.
      const names = added.map((node) => node instanceof HTMLElement && node.dataset.kassa)
      expect(names).toContain('field-error')
      expect(names).not.toContain('error')
      observer.disconnect()
      show(createCheckout(orders.awaitingPaymentNative, { editError }))
      expect(screen.getByRole('alert').textContent).toBe('The shop does not accept this.')
    })
    test('is shown without a form', () => {
      mount(refuse(message), <Checkout.Error />)
      expect(screen.getByRole('alert').textContent).toBe('The shop does not accept this.')
    })
    test('is shown beside a form that did not send it', async () => {
      mount(at({ editError: refuse(message).editError }), parts)
      await settle()
      expect(screen.getByRole('alert').textContent).toBe('The shop does not accept this.')
      expect(wrongOf('E-mail')).toBe(undefined)
    })
    test('is shown if the form that sent it has no such field', async () => {
      const { show } = mount(at({}), parts)
      write({ 'E-mail': 'ada@example.com' })
      send()
      show(at({ isEditing: true }))
      show(at({ editError: refuse('payment.currency: dai is not known').editError }))
      await settle()
      expect(screen.getByRole('alert').textContent).toBe('The shop does not accept this.')
    })
  })
  test('is not shown where a payment was seen since: the parts show that payment', () => {
    const editError = apiError('api.conflict', { status: 409, message: 'a payment was seen' })
    const { show } = mount(createCheckout(orders.awaitingPaymentNative, { editError }), <Checkout.Error />)
    expect(screen.getByRole('alert').dataset.code).toBe('api.conflict')
    show(createCheckout(orders.underpaid, { editError }))
    expect(screen.queryByRole('alert')).toBe(null)
  })

  test('is not shown once the order is paid', () => {
    mount(refuse('payment.currency: dai is not known', orders.delivering), <Checkout.Error />)
    expect(screen.queryByRole('alert')).toBe(null)
  })
})

test('behavior: absent while nothing is wrong, and gone when it was mended', () => {
  const failing = createCheckout(orders.awaitingPaymentNative, { error: away })
  const { show } = mount(failing, <Checkout.Error />)
  expect(screen.getByRole('alert')).toBeTruthy()
  show(createCheckout(orders.awaitingPaymentNative))
  expect(screen.queryByRole('alert')).toBe(null)
})

test('behavior: a payment that failed before another went through is not held against the order', () => {
  mount(createCheckout(orders.delivering, { step: steps.rejected }), <Checkout.Error />)
  expect(screen.queryByRole('alert')).toBe(null)
})

test('parameters: children, a function of the state', () => {
  mount(
    createCheckout(undefined, { error: away }),
    <Checkout.Error>{({ code, isRetryable, remedy }) => `${code} ${isRetryable} ${remedy}`}</Checkout.Error>,
  )
  expect(screen.getByRole('alert').textContent).toBe('api.unreachable true retry')
})
