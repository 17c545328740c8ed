import { screen } from '@testing-library/react'
import { Checkout, type CheckoutValue } from 'kassa'
import { expect, test, vi } from 'vitest'
import { apiError } from '../../../../src/errors/index.js'
import { order } from '../../../../stories/fixtures/build.js'
import { createCheckout } from '../../../../stories/fixtures/checkout.js'
import { type OrderName, orders } from '../../../../stories/fixtures/orders.js'
import { connectedBuyer } from '../../../../stories/fixtures/wallet.js'
import { describeConformance } from '../../../conformance.js'
import { mount } from '../../mount.js'
import { field, send, settle, write, wrongOf } from '../../writeForm.js'

describeConformance({
  name: 'RefundForm',
  part: (props) => <Checkout.RefundForm {...props} />,
  value: createCheckout(orders.refundNeedsAddress, { isEditing: true }),
  tag: 'form',
  data: { 'data-saving': '' },
})

const label = 'Refund address'
const solanaAddress = '9wFFyRfZBsuAha4YcuxcXLKwMxJR43S7fPfQLusDBzvT'
const show = (changes: Partial<CheckoutValue> = {}) => {
  const edit = vi.fn()
  const value = createCheckout(orders.refundNeedsAddress, { edit, ...changes })
  return { edit, value, ...mount(value, <Checkout.RefundForm />) }
}

test('default: names the address, although the order can no longer be changed', () => {
  const { edit } = show()
  expect(screen.getByRole('form', { name: 'Where should the refund go?' })).toBeTruthy()
  // An address that the order knows may be the exchange's, or that of someone who gets a gift.
  expect(field(label)).toMatchObject({ name: 'refundAddress', required: true, value: '' })
  write({ [label]: ` ${connectedBuyer} ` })
  // The other forms lead on with “Continue”. This one moves money.
  expect(screen.getByRole('button').textContent).toBe('Send the refund here')
  send()
  expect(edit).toHaveBeenCalledExactlyOnceWith({ payment: { refundAddress: connectedBuyer } })
})

test.each([
  ['nothing', '', 'Fill this in.'],
  ['half an address', '0x12ab', 'Write it like 0x12Ab…89Ef.'],
  ['one with a slip', connectedBuyer.replace('3', '8'), 'Write it like 0x12Ab…89Ef.'],
  ['an address of Solana', solanaAddress, 'Write it like 0x12Ab…89Ef.'],
])('error: %s, at the field', (_, text, error) => {
  const { edit } = show()
  write({ [label]: text })
  send()
  expect(wrongOf(label)).toBe(error)
  expect(edit).not.toHaveBeenCalled()
})

test('behavior: takes an address on the chain of the refund', () => {
  const refundHeld = { amount: '1', currency: 'sol', chain: 'solana', reason: 'contract-payer' } as const
  const { edit } = show({ order: order({ payment: { refundHeld } }) })
  write({ [label]: solanaAddress })
  send()
  expect(edit).toHaveBeenCalledExactlyOnceWith({ payment: { refundAddress: solanaAddress } })
})

test('error: api.bad-request, at the field', async () => {
  const { value, show: showNext } = show()
  write({ [label]: connectedBuyer })
  send()
  showNext({ ...value, isEditing: true })
  const message = 'payment.refundAddress: 0xaa is an address at which orders are paid'
  showNext({ ...value, editError: apiError('api.bad-request', { status: 400, message }) })
  await settle()
  expect(wrongOf(label)).toBe('The shop does not accept this.')
})

test('behavior: sends nothing a second time while it is saved', () => {
  const { edit } = show({ isEditing: true })
  write({ [label]: connectedBuyer })
  send()
  expect(edit).not.toHaveBeenCalled()
})

const absent: OrderName[] = ['awaitingPaymentNative', 'underpaidRefunded', 'completed']
test.each(absent)('behavior: absent where no refund waits for an address: %s', (name) => {
  show({ order: orders[name] })
  expect(screen.queryByRole('form')).toBe(null)
})

test('error: a service that does not answer is shown, also after the order was paid', async () => {
  const { payment } = orders.refundNeedsAddress
  const paid = {
    ...orders.completed,
    payment: { ...orders.completed.payment, refundHeld: payment.refundHeld },
  }
  const value = createCheckout(paid, { edit: vi.fn() })
  const { show: showNext } = mount(
    value,
    <>
      <Checkout.RefundForm />
      <Checkout.Error />
    </>,
  )
  write({ [label]: connectedBuyer })
  send()
  showNext({ ...value, isEditing: true })
  showNext({ ...value, editError: apiError('api.unreachable', { url: '' }) })
  await settle()
  expect(screen.getByRole('alert').textContent).toContain('cannot be reached')
})
