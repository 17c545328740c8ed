import type { Meta, StoryObj } from '@storybook/react-vite'
import { Checkout } from 'kassa'
import { createCheckout } from '../fixtures/checkout.js'
import { inCheckout } from '../fixtures/decorators.js'
import { orders } from '../fixtures/orders.js'

const meta = {
  title: 'Parts/ItemQuantity',
  component: Checkout.ItemQuantity,
  decorators: [inCheckout],
} satisfies Meta<typeof Checkout.ItemQuantity>

export default meta

type Story = StoryObj<typeof meta>

export const Default: Story = { parameters: { checkout: createCheckout(orders.awaitingPaymentNative) } }

export const ByChildren: Story = {
  parameters: { checkout: createCheckout(orders.awaitingPaymentNative) },
  args: { children: ({ quantity }) => `${quantity} piece` },
}
