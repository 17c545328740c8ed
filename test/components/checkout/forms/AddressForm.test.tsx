import { act, fireEvent, screen } from '@testing-library/react'
import { Checkout, type CheckoutValue } from 'kassa'
import { Profiler } from 'react'
import { expect, test, vi } from 'vitest'
import { apiError } from '../../../../src/errors/index.js'
import type { EditOrderBody } from '../../../../src/schema/index.js'
import { item, order, quotedAt } from '../../../../stories/fixtures/build.js'
import { createCheckout } from '../../../../stories/fixtures/checkout.js'
import { orders } from '../../../../stories/fixtures/orders.js'
import { describeConformance } from '../../../conformance.js'
import { mount } from '../../mount.js'
import { field, send, settle, write, wrongOf } from '../../writeForm.js'

describeConformance({
  name: 'AddressForm',
  part: (props) => <Checkout.AddressForm {...props} />,
  value: createCheckout(orders.requiresPhysicalAddress, { isEditing: true }),
  tag: 'form',
  data: { 'data-saving': '' },
})

const needsAddress = (email?: string) =>
  order({
    phase: 'quote',
    lineItems: [item(email ? { delivery: { recipient: { locator: `email:${email}`, email } } } : {})],
    quote: { status: 'requires-physical-address' },
  })

const show = (changes: Partial<CheckoutValue> = {}) => {
  const edit = vi.fn()
  const value = createCheckout(needsAddress(), { edit, ...changes })
  const mounted = mount(value, <Checkout.AddressForm />)
  return { edit, value, ...mounted }
}

const written = {
  'Full name': 'Ada Lovelace',
  'Street and number': '12 St James’s Square',
  City: 'London',
  'Postal code': 'SW1Y 4JH',
  Country: 'GB',
}

const physicalAddress = {
  name: 'Ada Lovelace',
  line1: '12 St James’s Square',
  city: 'London',
  postalCode: 'SW1Y 4JH',
  country: 'GB',
}

const refuse = (message: string) => apiError('api.bad-request', { status: 400, message })

test('default', () => {
  const { edit } = show()
  expect(screen.getByRole('form', { name: 'Where should this order be shipped?' })).toBeTruthy()
  write(written)
  send()
  const walletAddress = '0x9F3b6b1C0a4e2cF6d1B27F4E5cD0A1b2C3d4E5F6'
  expect(edit).toHaveBeenCalledExactlyOnceWith({ recipient: { walletAddress, physicalAddress } })
})

test('behavior: keeps whom the order is for, and sends what may stay empty', () => {
  const { edit } = show({ order: needsAddress('ada@example.com') })
  write({
    ...written,
    'Apartment, floor (optional)': '3rd floor',
    'State or region (optional)': 'Greater London',
  })
  send()
  expect(edit).toHaveBeenCalledExactlyOnceWith({
    recipient: {
      email: 'ada@example.com',
      physicalAddress: { ...physicalAddress, line2: '3rd floor', state: 'Greater London' },
    },
  })
})

test('behavior: a postal code may stay empty where the country has none', () => {
  const { edit } = show()
  write({ ...written, 'Postal code': '' })
  send()
  expect(wrongOf('Postal code')).toBe('Fill this in.')
  write({ Country: 'HK' })
  expect(wrongOf('Postal code (optional)')).toBe(undefined)
  expect(field('Postal code (optional)').hasAttribute('required')).toBe(false)
  send()
  const { postalCode: _, ...rest } = physicalAddress
  const [[body]] = edit.mock.calls as [[EditOrderBody]]
  expect(body.recipient?.physicalAddress).toEqual({ ...rest, country: 'HK' })
  write({ Country: 'GB' })
  expect(field('Postal code').hasAttribute('required')).toBe(true)
})

test('behavior: a browser can fill it in', () => {
  show()
  const tokens = screen
    .getAllByLabelText(/./, { selector: 'input, select' })
    .map((input) => [input.getAttribute('autocomplete'), input.hasAttribute('required')])
  expect(tokens).toEqual([
    ['shipping name', true],
    ['shipping address-line1', true],
    ['shipping address-line2', false],
    ['shipping address-level2', true],
    ['shipping address-level1', false],
    ['shipping postal-code', true],
    ['shipping country', true],
  ])
})

test('behavior: says what is wrong, goes to the first, and says no more once it is right', () => {
  const { edit } = show()
  write({ ...written, 'Full name': '', City: '', 'Street and number': 'x'.repeat(201), Country: '' })
  expect(wrongOf('City')).toBe(undefined)
  send()
  expect(wrongOf('Full name')).toBe('Fill this in.')
  expect(wrongOf('Street and number')).toBe('This is too long.')
  expect(wrongOf('City')).toBe('Fill this in.')
  expect(wrongOf('Country')).toBe('Fill this in.')
  expect(wrongOf('Postal code')).toBe(undefined)
  expect(document.activeElement).toBe(field('Full name'))
  field('City').focus()
  write({ City: 'London' })
  expect(wrongOf('City')).toBe(undefined)
  expect(wrongOf('Full name')).toBe('Fill this in.')
  write({ City: '' })
  expect(wrongOf('City')).toBe('Fill this in.')
  expect(document.activeElement).toBe(field('City'))
  expect(edit).not.toHaveBeenCalled()
  write(written)
  send()
  expect(edit).toHaveBeenCalledTimes(1)
})

test('behavior: while it is saved it says so, and is not saved again', () => {
  const { edit, value, show: showNext } = show()
  write(written)
  send()
  showNext({ ...value, isEditing: true })
  const button = screen.getByRole('button', { name: 'One moment…' })
  expect(button.getAttribute('aria-disabled')).toBe('true')
  expect(screen.getByRole('form').getAttribute('aria-busy')).toBe('true')
  send()
  fireEvent.submit(screen.getByRole('form'))
  expect(edit).toHaveBeenCalledTimes(1)
})

test('error: api.bad-request, at the field it is about', async () => {
  const { value, show: showNext } = show()
  write(written)
  send()
  showNext({ ...value, isEditing: true })
  const message =
    'recipient.physicalAddress.postalCode: expected one of GB; recipient.physicalAddress.city: expected a city of GB'
  showNext({ ...value, editError: refuse(message) })
  await settle()
  expect(wrongOf('Postal code')).toBe('The shop does not accept this.')
  expect(wrongOf('City')).toBe('The shop does not accept this.')
  expect(wrongOf('Country')).toBe(undefined)
  expect(document.activeElement).toBe(field('City'))
  expect(field('Full name').value).toBe('Ada Lovelace')
  write({ 'Postal code': 'SW1Y 4LE' })
  expect(wrongOf('Postal code')).toBe(undefined)
  expect(wrongOf('City')).toBe('The shop does not accept this.')
})

test('error: api.bad-request, about what the form has no field for, is at the first', async () => {
  const { value, show: showNext } = show()
  write(written)
  send()
  showNext({ ...value, isEditing: true })
  showNext({ ...value, editError: refuse('recipient: expected either email or walletAddress') })
  await settle()
  expect(wrongOf('Full name')).toBe('The shop does not accept this.')
})

test.each([
  ['another failure', apiError('api.unavailable', { status: 503, message: 'recipient: away' })],
  ['a refusal of another part', refuse('payment.method: moon is not enabled on this service')],
])('behavior: leaves %s to Checkout.Error', async (_, editError) => {
  const { value, show: showNext, container } = show()
  write(written)
  send()
  showNext({ ...value, isEditing: true })
  showNext({ ...value, editError })
  await settle()
  expect(container.querySelectorAll('[aria-invalid]')).toHaveLength(0)
})

test('behavior: a refusal of what it did not send is not its own', async () => {
  const { value, show: showNext, container } = show()
  const editError = refuse('recipient.physicalAddress.city: expected a city')
  showNext({ ...value, isEditing: true })
  showNext({ ...value, editError })
  await settle()
  expect(container.querySelectorAll('[aria-invalid]')).toHaveLength(0)
})

test('behavior: a poll neither renders it nor changes what was written', () => {
  const onRender = vi.fn()
  const value = createCheckout(needsAddress(), { edit: vi.fn() })
  const { show: showNext } = mount(
    value,
    <Profiler id="form" onRender={onRender}>
      <Checkout.AddressForm />
    </Profiler>,
  )
  write(written)
  onRender.mockClear()
  const polled = { ...needsAddress(), quote: { ...needsAddress().quote, quotedAt } }
  act(() => showNext({ ...value, order: polled, nowMs: (value.nowMs ?? 0) + 3_000 }))
  expect(onRender).not.toHaveBeenCalled()
  expect(field('City').value).toBe('London')
})
