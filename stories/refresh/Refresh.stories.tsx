import type { Meta, StoryObj } from '@storybook/react-vite'
import { Checkout } from 'kassa'
import { createCheckout } from '../fixtures/checkout.js'
import { inCheckout } from '../fixtures/decorators.js'
import { orders } from '../fixtures/orders.js'
import { steps } from '../fixtures/steps.js'

const meta = {
  title: 'Parts/Refresh',
  component: Checkout.Refresh,
  decorators: [inCheckout],
} satisfies Meta<typeof Checkout.Refresh>

export default meta

type Story = StoryObj<typeof meta>

export const Default: Story = {
  parameters: { checkout: createCheckout(orders.expired) },
}

export const Pending: Story = {
  parameters: { checkout: createCheckout(orders.expired, { isRefreshing: true }) },
}

export const TooLittleTimeLeft: Story = {
  parameters: { checkout: createCheckout(orders.awaitingPaymentNative, { step: steps.quoteExpired }) },
}

export const Absent: Story = {
  parameters: { checkout: createCheckout(orders.awaitingPaymentNative) },
}
