import { screen } from '@testing-library/react'
import { Checkout, isKassaError } from 'kassa'
import type { ReactElement } from 'react'
import { describe, expect, test, vi } from 'vitest'
import { FieldContext } from '../../../../src/components/checkout/forms/FormContext.js'
import type { CheckoutFieldName } from '../../../../src/components/checkout/forms/fields.js'
import { createCheckout } from '../../../../stories/fixtures/checkout.js'
import { orders } from '../../../../stories/fixtures/orders.js'
import { describeConformance } from '../../../conformance.js'
import { mount } from '../../mount.js'
import { field } from '../../writeForm.js'

const value = createCheckout(orders.requiresRecipient)
const data = { 'data-name': 'email', 'data-invalid': '', 'data-required': '' }

/** A field in which something is wrong, without the element around it. */
const inField = (part: ReactElement, name: CheckoutFieldName = 'email') => (
  <FieldContext
    value={{
      id: 'field',
      error: 'Fill this in.',
      state: { name, isInvalid: true, isRequired: true },
      offered: undefined,
      recheck: () => {},
    }}
  >
    {part}
  </FieldContext>
)

describeConformance({
  name: 'Field',
  part: (props) => <Checkout.Field name="email" {...props} />,
  value,
  tag: 'div',
  data: { 'data-name': 'email', 'data-required': '' },
})
describeConformance({
  name: 'FieldLabel',
  part: (props) => inField(<Checkout.FieldLabel {...props} />),
  value,
  tag: 'label',
  data,
})
describeConformance({
  name: 'FieldInput',
  part: (props) => inField(<Checkout.FieldInput {...props} />),
  value,
  tag: 'input',
  data,
})
describeConformance({
  name: 'FieldError',
  part: (props) => inField(<Checkout.FieldError {...props} />),
  value,
  tag: 'span',
  data,
})

test('default', () => {
  const { container } = mount(value, <Checkout.Field name="line2" />)
  expect(container.querySelector('[data-kassa=field]')?.outerHTML).not.toContain('field-error')
  expect(field('Apartment, floor (optional)')).toMatchObject({ name: 'line2', required: false })
})

describe('FieldInput', () => {
  test('parameters: defaultValue', () => {
    mount(
      value,
      <Checkout.Field name="city">
        <Checkout.FieldLabel />
        <Checkout.FieldInput defaultValue="London" />
      </Checkout.Field>,
    )
    expect(field('City').value).toBe('London')
  })

  test('behavior: goes by the id of its field, whatever is given', () => {
    const props = { id: 'mine', title: 'Where' }
    mount(
      value,
      <Checkout.Field name="city">
        <Checkout.FieldLabel />
        <Checkout.FieldInput {...props} />
      </Checkout.Field>,
    )
    expect(field('City').name).toBe('city')
  })

  test('behavior: a country is chosen by its name', () => {
    mount(
      value,
      <Checkout.Field name="country">
        <Checkout.FieldLabel />
        <Checkout.FieldInput defaultValue="DE" className="choice" />
      </Checkout.Field>,
    )
    const choice = screen.getByLabelText<HTMLSelectElement>('Country')
    expect(choice).toMatchObject({ tagName: 'SELECT', name: 'country', value: 'DE', className: 'choice' })
    expect(choice.options).toHaveLength(250)
    expect(choice.selectedOptions[0]?.textContent).toBe('Germany')
    expect(choice.options[0]).toMatchObject({ value: '', textContent: '' })
  })
})

describeConformance({
  name: 'FieldInput',
  part: (props) => inField(<Checkout.FieldInput {...props} />, 'country'),
  value,
  tag: 'select',
  data: { ...data, 'data-name': 'country' },
})

test.each(['FieldLabel', 'FieldInput', 'FieldError'] as const)(
  'error: config.part-outside-root, of %s outside a field',
  (name) => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const Part = Checkout[name]
    const caught = (() => {
      try {
        mount(value, <Part />)
      } catch (error) {
        return error
      }
    })()
    log.mockRestore()
    expect(isKassaError(caught, 'config.part-outside-root')).toBe(true)
    expect(caught).toHaveProperty('context', { part: `Checkout.${name}` })
  },
)
