import type { Meta, StoryObj } from '@storybook/react-vite'
import { Checkout, type CheckoutValue } from 'kassa'
import { createCheckout } from '../fixtures/checkout.js'
import { orders } from '../fixtures/orders.js'

const meta = {
  title: 'Parts/Receipt',
  component: Checkout.Receipt,
  decorators: [
    (Story, { parameters }) => (
      <Checkout.Root value={parameters.checkout as CheckoutValue} className="plain">
        <Story />
      </Checkout.Root>
    ),
  ],
} satisfies Meta<typeof Checkout.Receipt>

export default meta

type Story = StoryObj<typeof meta>

export const Default: Story = { parameters: { checkout: createCheckout(orders.completed) } }

export const WithAFailure: Story = { parameters: { checkout: createCheckout(orders.completedWithFailure) } }

export const ByChildren: Story = {
  parameters: { checkout: createCheckout(orders.completed) },
  args: { children: (tokens) => `You own ${tokens.length} new things.` },
}
