import type { Meta, StoryObj } from '@storybook/react-vite'
import { Checkout } from 'kassa'
import { createCheckout } from '../fixtures/checkout.js'
import { inCheckout } from '../fixtures/decorators.js'
import { orders } from '../fixtures/orders.js'

const meta = {
  title: 'Parts/Receipt',
  component: Checkout.Receipt,
  decorators: [inCheckout],
} satisfies Meta<typeof Checkout.Receipt>

export default meta

type Story = StoryObj<typeof meta>

export const Default: Story = { parameters: { checkout: createCheckout(orders.completed) } }

export const WithAFailure: Story = { parameters: { checkout: createCheckout(orders.completedWithFailure) } }

export const ByChildren: Story = {
  parameters: { checkout: createCheckout(orders.completed) },
  args: { children: (tokens) => `You own ${tokens.length} new things.` },
}
