import type { Meta, StoryObj } from '@storybook/react-vite'
import { Checkout } from 'kassa'
import { order } from '../fixtures/build.js'
import { createCheckout } from '../fixtures/checkout.js'
import { inCheckout } from '../fixtures/decorators.js'
import { discounted, taxed } from '../fixtures/sale.js'

const meta = {
  title: 'Parts/Charge',
  component: Checkout.Charge,
  args: { of: 'unit' },
  decorators: [inCheckout],
} satisfies Meta<typeof Checkout.Charge>

export default meta

type Story = StoryObj<typeof meta>

export const Default: Story = {
  parameters: { checkout: createCheckout(taxed) },
}

export const Tax: Story = {
  parameters: { checkout: createCheckout(taxed) },
  args: { of: 'salesTax' },
}

export const Discount: Story = {
  parameters: { checkout: createCheckout(discounted) },
  args: { of: 'discount' },
}

export const Nothing: Story = {
  parameters: { checkout: createCheckout(taxed) },
  args: { of: 'shipping' },
}

export const Absent: Story = {
  parameters: { checkout: createCheckout(order({ lineItems: [] })) },
}
