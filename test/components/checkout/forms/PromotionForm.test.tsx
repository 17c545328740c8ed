import { screen } from '@testing-library/react'
import { Checkout, type CheckoutValue } from 'kassa'
import { expect, test, vi } from 'vitest'
import { apiError } from '../../../../src/errors/index.js'
import { createCheckout } from '../../../../stories/fixtures/checkout.js'
import { orders } from '../../../../stories/fixtures/orders.js'
import { discounted } from '../../../../stories/fixtures/sale.js'
import { describeConformance } from '../../../conformance.js'
import { mount } from '../../mount.js'
import { field, send, settle, write, wrongOf } from '../../writeForm.js'

describeConformance({
  name: 'PromotionForm',
  part: (props) => <Checkout.PromotionForm {...props} />,
  value: createCheckout(orders.awaitingPaymentNative, { isEditing: true }),
  tag: 'form',
  data: { 'data-saving': '' },
})

const label = 'Promotion code (optional)'
const show = (changes: Partial<CheckoutValue> = {}) => {
  const edit = vi.fn()
  const value = createCheckout(orders.awaitingPaymentNative, { edit, ...changes })
  return { edit, value, ...mount(value, <Checkout.PromotionForm />) }
}

test('default', () => {
  const { edit } = show()
  expect(screen.getByRole('form', { name: 'Promotion code' })).toBeTruthy()
  expect(field(label)).toMatchObject({ name: 'promotionCode', required: false })
  expect(field(label).getAttribute('autocomplete')).toBe('off')
  write({ [label]: ' \u200bsummer-20\ufeff ' })
  send()
  expect(edit).toHaveBeenCalledExactlyOnceWith({ promotionCode: 'summer-20' })
})

test('behavior: offers the code of the order, and without a text removes it', () => {
  const { edit } = show({ order: discounted })
  expect(field(label).value).toBe('summer-20')
  write({ [label]: '' })
  send()
  expect(edit).toHaveBeenCalledExactlyOnceWith({ promotionCode: null })
})

test('error: api.bad-request, at the field', async () => {
  const { value, show: showNext } = show()
  write({ [label]: 'WRONG' })
  send()
  showNext({ ...value, isEditing: true })
  const message = 'promotionCode: this code is not valid for this order'
  showNext({ ...value, editError: apiError('api.bad-request', { status: 400, message }) })
  await settle()
  expect(wrongOf(label)).toBe('This code is unknown, has expired or is used up.')
})

test('behavior: absent once a payment was seen', () => {
  show({ order: orders.paymentInProgress })
  expect(screen.queryByRole('form')).toBe(null)
})
