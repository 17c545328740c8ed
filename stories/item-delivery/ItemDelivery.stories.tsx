import type { Meta, StoryObj } from '@storybook/react-vite'
import { Checkout } from 'kassa'
import { createCheckout } from '../fixtures/checkout.js'
import { inCheckout } from '../fixtures/decorators.js'
import { orders } from '../fixtures/orders.js'

const meta = {
  title: 'Parts/ItemDelivery',
  component: Checkout.ItemDelivery,
  decorators: [inCheckout],
} satisfies Meta<typeof Checkout.ItemDelivery>

export default meta

type Story = StoryObj<typeof meta>

export const Default: Story = { parameters: { checkout: createCheckout(orders.delivering) } }

export const Delivered: Story = { parameters: { checkout: createCheckout(orders.completed) } }

export const WaitingForShop: Story = { parameters: { checkout: createCheckout(orders.waitingForShop) } }

export const Shipped: Story = {
  parameters: {
    checkout: createCheckout({
      ...orders.completed,
      shipments: [{ status: 'shipped', carrier: 'DHL', lineItems: [{ index: 0 }] }],
    }),
  },
}

export const Unavailable: Story = { parameters: { checkout: createCheckout(orders.allUnavailable) } }

export const Unknown: Story = { parameters: { checkout: createCheckout(orders.unknownFutureState) } }
