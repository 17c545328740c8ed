import { screen } from '@testing-library/react'
import { Checkout, type CheckoutValue } from 'kassa'
import { expect, test, vi } from 'vitest'
import { apiError } from '../../../../src/errors/index.js'
import { item, nativePreparation, order } from '../../../../stories/fixtures/build.js'
import { createCheckout } from '../../../../stories/fixtures/checkout.js'
import { orders } from '../../../../stories/fixtures/orders.js'
import { describeConformance } from '../../../conformance.js'
import { mount } from '../../mount.js'
import { field, send, settle, write, wrongOf } from '../../writeForm.js'

describeConformance({
  name: 'EmailForm',
  part: (props) => <Checkout.EmailForm {...props} />,
  value: createCheckout(orders.requiresEmail, { isEditing: true }),
  tag: 'form',
  data: { 'data-saving': '' },
})

const show = (changes: Partial<CheckoutValue> = {}) => {
  const edit = vi.fn()
  const value = createCheckout(orders.requiresEmail, { edit, ...changes })
  return { edit, value, ...mount(value, <Checkout.EmailForm />) }
}

const { payerAddress } = nativePreparation
const payment = { method: 'base-sepolia', currency: 'eth', payerAddress, receiptEmail: 'ada@example.com' }

test('default', () => {
  const { edit } = show()
  expect(screen.getByRole('form', { name: 'Where should the receipt go?' })).toBeTruthy()
  expect(field('E-mail')).toMatchObject({ name: 'receiptEmail', type: 'email', required: true })
  expect(field('E-mail').getAttribute('autocomplete')).toBe('email')
  write({ 'E-mail': 'ada@example' })
  send()
  expect(wrongOf('E-mail')).toBe('Write it like name@example.com.')
  expect(edit).not.toHaveBeenCalled()
  write({ 'E-mail': 'ada@example.com' })
  send()
  expect(edit).toHaveBeenCalledExactlyOnceWith({ payment })
})

test('behavior: names no payer while the order knows none', () => {
  const { edit } = show({ order: order({ payment: { status: 'requires-email' } }) })
  write({ 'E-mail': 'ada@example.com' })
  send()
  expect(edit).toHaveBeenCalledExactlyOnceWith({ payment: { ...payment, payerAddress: undefined } })
})

test('behavior: offers the address the order is for', () => {
  const recipient = { email: 'ada@example.com', walletAddress: nativePreparation.payerAddress }
  show({
    order: order({ lineItems: [item({ delivery: { recipient } })], payment: { status: 'requires-email' } }),
  })
  expect(field('E-mail').value).toBe('ada@example.com')
})

test('error: api.bad-request, at the field it is about', async () => {
  const { value, show: showNext } = show()
  write({ 'E-mail': 'ada@example.com' })
  send()
  showNext({ ...value, isEditing: true })
  const message = 'payment.receiptEmail: expected an e-mail address that can be reached'
  showNext({ ...value, editError: apiError('api.bad-request', { status: 400, message }) })
  await settle()
  expect(wrongOf('E-mail')).toBe('The shop does not accept this.')
})

test('behavior: absent at any other stage', () => {
  show({ order: orders.awaitingPaymentNative })
  expect(screen.queryByRole('form')).toBe(null)
})
