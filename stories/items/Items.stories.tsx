import type { Meta, StoryObj } from '@storybook/react-vite'
import { Checkout } from 'kassa'
import { createCheckout } from '../fixtures/checkout.js'
import { inCheckout } from '../fixtures/decorators.js'
import { orders } from '../fixtures/orders.js'

const meta = {
  title: 'Parts/Items',
  component: Checkout.Items,
  decorators: [inCheckout],
} satisfies Meta<typeof Checkout.Items>

export default meta

type Story = StoryObj<typeof meta>

export const Default: Story = { parameters: { checkout: createCheckout(orders.awaitingPaymentNative) } }

export const ATemplate: Story = {
  parameters: { checkout: createCheckout(orders.partlyDelivered) },
  args: {
    children: (
      <Checkout.Item>
        <Checkout.ItemName />: <Checkout.ItemDelivery />
      </Checkout.Item>
    ),
  },
}

export const AFunction: Story = {
  parameters: { checkout: createCheckout(orders.awaitingPaymentNative) },
  args: {
    children: (item, index) => <Checkout.Item>{`${index + 1}. ${item.metadata?.name}`}</Checkout.Item>,
  },
}
