import type { Meta, StoryObj } from '@storybook/react-vite'
import { Checkout } from 'kassa'
import { charge, item, order } from '../fixtures/build.js'
import { createCheckout } from '../fixtures/checkout.js'
import { inCheckout } from '../fixtures/decorators.js'
import { discounted } from '../fixtures/sale.js'

const meta = {
  title: 'Parts/Charge',
  component: Checkout.Charge,
  args: { of: 'unit' },
  decorators: [inCheckout],
} satisfies Meta<typeof Checkout.Charge>

export default meta

type Story = StoryObj<typeof meta>

const taxed = createCheckout(
  order({
    lineItems: [
      item({
        quote: {
          charges: { ...charge('40', 'usdc'), salesTax: { amount: '7.6', currency: 'usdc' } },
        },
      }),
    ],
  }),
)

export const Default: Story = {
  parameters: { checkout: taxed },
}

export const Tax: Story = {
  parameters: { checkout: taxed },
  args: { of: 'salesTax' },
}

export const Discount: Story = {
  parameters: { checkout: createCheckout(discounted) },
  args: { of: 'discount' },
}

export const Nothing: Story = {
  parameters: { checkout: taxed },
  args: { of: 'shipping' },
}

export const Absent: Story = {
  parameters: { checkout: createCheckout(order({ lineItems: [] })) },
}
