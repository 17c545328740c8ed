import type { Meta, StoryObj } from '@storybook/react-vite'
import { Checkout } from 'kassa'
import { createCheckout } from '../fixtures/checkout.js'
import { inCheckout } from '../fixtures/decorators.js'
import { orders } from '../fixtures/orders.js'

const meta = {
  title: 'Parts/Item',
  component: Checkout.Item,
  decorators: [
    (Story) => (
      <ul>
        <Story />
      </ul>
    ),
    inCheckout,
  ],
} satisfies Meta<typeof Checkout.Item>

export default meta

type Story = StoryObj<typeof meta>

export const Default: Story = { parameters: { checkout: createCheckout(orders.awaitingPaymentNative) } }

export const Delivered: Story = { parameters: { checkout: createCheckout(orders.partlyDelivered) } }

export const TheSecond: Story = {
  parameters: { checkout: createCheckout(orders.partlyDelivered) },
  args: { index: 1 },
}

export const Unavailable: Story = { parameters: { checkout: createCheckout(orders.allUnavailable) } }
