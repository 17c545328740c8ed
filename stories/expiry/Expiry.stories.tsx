import type { Meta, StoryObj } from '@storybook/react-vite'
import { Checkout } from 'kassa'
import { createCheckout, nowMs } from '../fixtures/checkout.js'
import { inCheckout } from '../fixtures/decorators.js'
import { createFreshOrder } from '../fixtures/fresh.js'
import { orders } from '../fixtures/orders.js'

const meta = {
  title: 'Parts/Expiry',
  component: Checkout.Expiry,
  decorators: [inCheckout],
} satisfies Meta<typeof Checkout.Expiry>

export default meta

type Story = StoryObj<typeof meta>

export const Default: Story = { parameters: { checkout: createCheckout(orders.awaitingPaymentNative) } }

export const LastMinute: Story = {
  parameters: { checkout: createCheckout(orders.awaitingPaymentNative, { nowMs: nowMs + 300_000 }) },
}

export const Expired: Story = { parameters: { checkout: createCheckout(orders.expired) } }

export const Ticking: Story = {
  parameters: { checkout: createCheckout(createFreshOrder(), { nowMs: undefined }) },
}
