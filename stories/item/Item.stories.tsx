import type { Meta, StoryObj } from '@storybook/react-vite'
import { Checkout, type CheckoutValue } from 'kassa'
import { createCheckout } from '../fixtures/checkout.js'
import { orders } from '../fixtures/orders.js'

const meta = {
  title: 'Parts/Item',
  component: Checkout.Item,
  decorators: [
    (Story, { parameters }) => (
      <Checkout.Root value={parameters.checkout as CheckoutValue} className="plain">
        <ul>
          <Story />
        </ul>
      </Checkout.Root>
    ),
  ],
} satisfies Meta<typeof Checkout.Item>

export default meta

type Story = StoryObj<typeof meta>

export const Default: Story = { parameters: { checkout: createCheckout(orders.awaitingPaymentNative) } }

export const Delivered: Story = { parameters: { checkout: createCheckout(orders.partlyDelivered) } }

export const TheSecond: Story = {
  parameters: { checkout: createCheckout(orders.partlyDelivered) },
  args: { index: 1 },
}

export const Unavailable: Story = { parameters: { checkout: createCheckout(orders.allUnavailable) } }
