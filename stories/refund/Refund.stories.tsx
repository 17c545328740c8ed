import type { Meta, StoryObj } from '@storybook/react-vite'
import { Checkout } from 'kassa'
import { createCheckout } from '../fixtures/checkout.js'
import { inCheckout } from '../fixtures/decorators.js'
import { orders } from '../fixtures/orders.js'

const meta = {
  title: 'Parts/Refund',
  component: Checkout.Refund,
  decorators: [inCheckout],
} satisfies Meta<typeof Checkout.Refund>

export default meta

type Story = StoryObj<typeof meta>

export const Default: Story = {
  parameters: { checkout: createCheckout(orders.underpaidRefunded) },
}

export const PaidTooLate: Story = {
  parameters: { checkout: createCheckout(orders.paidTooLate) },
}

export const Excess: Story = {
  parameters: { checkout: createCheckout(orders.excessRefunded) },
}

export const NeedsAddress: Story = {
  parameters: { checkout: createCheckout(orders.refundNeedsAddress) },
}

export const ByTheMerchantInPart: Story = {
  parameters: { checkout: createCheckout(orders.refundedInPart) },
}

export const ByTheMerchant: Story = {
  parameters: { checkout: createCheckout(orders.refundedWhole) },
}

export const OneItemFailed: Story = {
  parameters: { checkout: createCheckout(orders.completedWithFailure) },
}

export const Absent: Story = {
  parameters: { checkout: createCheckout(orders.completed) },
}
