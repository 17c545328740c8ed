import { screen } from '@testing-library/react'
import { Checkout } from 'kassa'
import { expect, test } from 'vitest'
import { apiError } from '../../../src/errors/index.js'
import { createCheckout } from '../../../stories/fixtures/checkout.js'
import { orders } from '../../../stories/fixtures/orders.js'
import { steps } from '../../../stories/fixtures/steps.js'
import { describeConformance } from '../../conformance.js'
import { mount } from '../mount.js'

const away = apiError('api.unreachable', { url: 'http://127.0.0.1:4000/api' })

describeConformance({
  name: 'Error',
  part: (props) => <Checkout.Error {...props} />,
  value: createCheckout(undefined, { error: away }),
  tag: 'div',
  data: {
    'data-code': 'api.unreachable',
    'data-message': away.message,
    'data-retryable': '',
    'data-remedy': 'retry',
  },
})

test('default', () => {
  mount(createCheckout(orders.awaitingPaymentNative, { step: steps.rejected }), <Checkout.Error />)
  expect(screen.getByRole('alert').textContent).toContain('declined in the wallet')
})

test('behavior: the payment’s error goes before the service’s', () => {
  mount(
    createCheckout(orders.awaitingPaymentNative, { step: steps.rejected, error: away }),
    <Checkout.Error />,
  )
  expect(screen.getByRole('alert').dataset.code).toBe('pay.rejected')
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
