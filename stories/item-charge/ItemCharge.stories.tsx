import type { Meta, StoryObj } from '@storybook/react-vite'
import { Checkout } from 'kassa'
import { createCheckout } from '../fixtures/checkout.js'
import { inCheckout } from '../fixtures/decorators.js'
import { taxed } from '../fixtures/sale.js'

const meta = {
  title: 'Parts/ItemCharge',
  component: Checkout.ItemCharge,
  args: { of: 'unit' },
  decorators: [inCheckout],
} satisfies Meta<typeof Checkout.ItemCharge>

export default meta

type Story = StoryObj<typeof meta>

export const Default: Story = {
  parameters: { checkout: createCheckout(taxed) },
}

export const Tax: Story = {
  parameters: { checkout: createCheckout(taxed) },
  args: { of: 'salesTax' },
}

export const Nothing: Story = {
  parameters: { checkout: createCheckout(taxed) },
  args: { of: 'shipping' },
}
