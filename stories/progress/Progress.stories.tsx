import type { Meta, StoryObj } from '@storybook/react-vite'
import { Checkout } from 'kassa'
import { createCheckout } from '../fixtures/checkout.js'
import { inCheckout } from '../fixtures/decorators.js'
import { orders } from '../fixtures/orders.js'
import { steps } from '../fixtures/steps.js'

const meta = {
  title: 'Parts/Progress',
  component: Checkout.Progress,
  decorators: [inCheckout],
} satisfies Meta<typeof Checkout.Progress>

export default meta

type Story = StoryObj<typeof meta>

export const Default: Story = {
  parameters: { checkout: createCheckout(orders.awaitingPaymentNative, { step: steps.awaitingSignature }) },
}

export const Confirming: Story = {
  parameters: { checkout: createCheckout(orders.awaitingPaymentNative, { step: steps.broadcast }) },
}

export const Delivering: Story = {
  parameters: { checkout: createCheckout(orders.delivering) },
}

export const Done: Story = {
  parameters: { checkout: createCheckout(orders.completed) },
}

export const Declined: Story = {
  parameters: { checkout: createCheckout(orders.awaitingPaymentNative, { step: steps.rejected }) },
}

export const Reverted: Story = {
  parameters: { checkout: createCheckout(orders.awaitingPaymentNative, { step: steps.reverted }) },
}

export const NotDelivered: Story = {
  parameters: { checkout: createCheckout(orders.completedWithFailure) },
}

export const Absent: Story = {
  parameters: { checkout: createCheckout(orders.awaitingPaymentNative) },
}
