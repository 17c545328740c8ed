import type { Meta, StoryObj } from '@storybook/react-vite'
import { Checkout } from 'kassa'
import { createCheckout } from '../fixtures/checkout.js'
import { inCheckout, withWallet } from '../fixtures/decorators.js'
import { orders } from '../fixtures/orders.js'
import { steps } from '../fixtures/steps.js'

const meta = {
  title: 'Parts/TransactionLink',
  component: Checkout.TransactionLink,
  decorators: [inCheckout, withWallet],
} satisfies Meta<typeof Checkout.TransactionLink>

export default meta

type Story = StoryObj<typeof meta>

export const Default: Story = {
  parameters: { checkout: createCheckout(orders.completed) },
}

export const Payment: Story = {
  parameters: { checkout: createCheckout(orders.completedWithFailure) },
  args: { of: 'payment' },
}

export const Refund: Story = {
  parameters: { checkout: createCheckout(orders.completedWithFailure) },
  args: { of: 'refund' },
}

export const Confirming: Story = {
  parameters: { checkout: createCheckout(orders.awaitingPaymentNative, { step: steps.confirming }) },
  args: { of: 'payment' },
}

export const Absent: Story = {
  parameters: { checkout: createCheckout(orders.completedOnSolana) },
}

export const OnSolana: Story = {
  parameters: { checkout: createCheckout(orders.completedOnSolana), wallet: { solana: {} } },
}
