import { screen } from '@testing-library/react'
import { Checkout } from 'kassa'
import { expect, test } from 'vitest'
import { createCheckout } from '../../../../stories/fixtures/checkout.js'
import { orders } from '../../../../stories/fixtures/orders.js'
import { describeConformance } from '../../../conformance.js'
import { mount } from '../../mount.js'

describeConformance({
  name: 'Submit',
  part: (props) => <Checkout.Submit {...props} />,
  value: createCheckout(orders.requiresRecipient, { isEditing: true }),
  tag: 'button',
  data: { 'data-saving': '' },
})

test('default', () => {
  const { show } = mount(createCheckout(orders.requiresRecipient), <Checkout.Submit />)
  const button = screen.getByRole('button', { name: 'Continue' })
  expect(button).toMatchObject({ type: 'submit', disabled: false })
  expect(button.getAttribute('aria-disabled')).toBe(null)
  show(createCheckout(orders.requiresRecipient, { isEditing: true }))
  expect(button.textContent).toBe('One moment…')
  expect(button.getAttribute('aria-disabled')).toBe('true')
})
