import type { Meta, StoryObj } from '@storybook/react-vite'
import { Checkout } from 'kassa'
import { item, order } from '../fixtures/build.js'
import { createCheckout } from '../fixtures/checkout.js'
import { inCheckout } from '../fixtures/decorators.js'
import { orders } from '../fixtures/orders.js'

const meta = {
  title: 'Parts/ItemPrice',
  component: Checkout.ItemPrice,
  decorators: [inCheckout],
} satisfies Meta<typeof Checkout.ItemPrice>

export default meta

type Story = StoryObj<typeof meta>

export const Default: Story = { parameters: { checkout: createCheckout(orders.awaitingPaymentNative) } }

export const Token: Story = { parameters: { checkout: createCheckout(orders.awaitingPaymentUsdc) } }

export const TooLongToRead: Story = {
  parameters: {
    checkout: createCheckout(
      order({
        lineItems: [item({ quote: { totalPrice: { amount: '0.012345678901234567', currency: 'eth' } } })],
      }),
    ),
  },
}
