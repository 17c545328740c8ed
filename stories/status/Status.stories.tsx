import type { Meta, StoryObj } from '@storybook/react-vite'
import { Checkout } from 'kassa'
import { createCheckout } from '../fixtures/checkout.js'
import { inCheckout } from '../fixtures/decorators.js'
import { orders } from '../fixtures/orders.js'
import { steps } from '../fixtures/steps.js'

const meta = {
  title: 'Parts/Status',
  component: Checkout.Status,
  decorators: [inCheckout],
} satisfies Meta<typeof Checkout.Status>

export default meta

type Story = StoryObj<typeof meta>

export const Default: Story = { parameters: { checkout: createCheckout(orders.awaitingPaymentNative) } }

export const Paying: Story = {
  parameters: { checkout: createCheckout(orders.awaitingPaymentNative, { step: steps.confirming }) },
}

export const Delivering: Story = { parameters: { checkout: createCheckout(orders.partlyDelivered) } }

export const Unknown: Story = { parameters: { checkout: createCheckout(orders.unknownFutureState) } }
