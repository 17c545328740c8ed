import type { Meta, StoryObj } from '@storybook/react-vite'
import { Checkout, type CheckoutValue } from 'kassa'
import { createCheckout } from '../fixtures/checkout.js'
import { orders } from '../fixtures/orders.js'

const meta = {
  title: 'Parts/ItemDescription',
  component: Checkout.ItemDescription,
  decorators: [
    (Story, { parameters }) => (
      <Checkout.Root value={parameters.checkout as CheckoutValue} className="plain">
        <Story />
      </Checkout.Root>
    ),
  ],
} satisfies Meta<typeof Checkout.ItemDescription>

export default meta

type Story = StoryObj<typeof meta>

export const Default: Story = {
  parameters: { checkout: createCheckout(orders.awaitingPaymentNative) },
}
