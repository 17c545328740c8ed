import type { Meta, StoryObj } from '@storybook/react-vite'
import { Checkout } from 'kassa'
import { order } from '../fixtures/build.js'
import { createCheckout } from '../fixtures/checkout.js'
import { inCheckout } from '../fixtures/decorators.js'
import { orders } from '../fixtures/orders.js'

const meta = {
  title: 'Parts/Total',
  component: Checkout.Total,
  decorators: [inCheckout],
} satisfies Meta<typeof Checkout.Total>

export default meta

type Story = StoryObj<typeof meta>

export const Default: Story = { parameters: { checkout: createCheckout(orders.awaitingPaymentNative) } }

export const Token: Story = { parameters: { checkout: createCheckout(orders.awaitingPaymentUsdc) } }

export const Expired: Story = { parameters: { checkout: createCheckout(orders.expired) } }

export const ByChildren: Story = {
  parameters: { checkout: createCheckout(orders.awaitingPaymentNative) },
  args: { children: ({ amount, currency }) => `${amount} of ${currency}` },
}

export const TooLongToRead: Story = {
  parameters: {
    checkout: createCheckout(
      order({ quote: { totalPrice: { amount: '0.012345678901234567', currency: 'eth' } } }),
    ),
  },
}
