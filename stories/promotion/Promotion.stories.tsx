import type { Meta, StoryObj } from '@storybook/react-vite'
import { Checkout } from 'kassa'
import { createCheckout } from '../fixtures/checkout.js'
import { inCheckout } from '../fixtures/decorators.js'
import { orders } from '../fixtures/orders.js'
import { discounted } from '../fixtures/sale.js'

const meta = {
  title: 'Parts/Promotion',
  component: Checkout.Promotion,
  decorators: [inCheckout],
} satisfies Meta<typeof Checkout.Promotion>

export default meta

type Story = StoryObj<typeof meta>

const { quote } = discounted

export const Default: Story = { parameters: { checkout: createCheckout(discounted) } }

export const Ended: Story = {
  parameters: {
    checkout: createCheckout({
      ...orders.awaitingPaymentNative,
      quote: { ...quote, promotion: { code: 'summer-20', status: 'expired' } },
    }),
  },
}

export const WithoutACode: Story = { parameters: { checkout: createCheckout(orders.awaitingPaymentNative) } }
