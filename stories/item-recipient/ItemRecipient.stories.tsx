import type { Meta, StoryObj } from '@storybook/react-vite'
import { Checkout } from 'kassa'
import { item, order } from '../fixtures/build.js'
import { createCheckout } from '../fixtures/checkout.js'
import { inCheckout } from '../fixtures/decorators.js'
import { orders } from '../fixtures/orders.js'

const meta = {
  title: 'Parts/ItemRecipient',
  component: Checkout.ItemRecipient,
  decorators: [inCheckout],
} satisfies Meta<typeof Checkout.ItemRecipient>

export default meta

type Story = StoryObj<typeof meta>

export const Default: Story = {
  parameters: { checkout: createCheckout(orders.awaitingPaymentNative) },
}

export const Email: Story = {
  parameters: {
    checkout: createCheckout(
      order({ lineItems: [item({ delivery: { recipient: { email: 'ada@example.com' } } })] }),
    ),
  },
}

export const Solana: Story = {
  parameters: { checkout: createCheckout(orders.completedOnSolana) },
}
